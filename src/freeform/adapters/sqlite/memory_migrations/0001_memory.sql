-- Facts are true and for good: a row is only ever changed to close its two spans.
create table groups (
  no integer primary key,
  name text not null unique
);

create table facts (
  no integer primary key,
  id text not null unique,
  grp integer not null references groups (no),
  subject text not null,
  predicate text not null,
  value text not null,
  text text not null,
  slots text not null,
  valid_at real not null,
  invalid_at real,
  created_at real not null,
  expired_at real,
  session integer not null,
  turn integer not null,
  importance real not null,
  feeling real not null,
  source text not null,
  source_id text not null,
  claim_of text not null,
  many integer not null
);

-- One for each kind of question: by sessions, by recency, by subject and predicate, by what is alike.
create index facts_by_session on facts (grp, session, importance desc, created_at desc);
create index facts_by_day on facts (grp, created_at);
create index facts_by_subject on facts (grp, subject, predicate, created_at);
create index facts_by_predicate on facts (grp, predicate, created_at);

create table vectors (
  model text not null,
  fact integer not null references facts (no),
  vector blob not null,
  primary key (model, fact)
) without rowid;

create table rehearsals (
  agent text not null,
  fact integer not null references facts (no),
  day real not null,
  no integer not null,
  how text not null,
  session integer not null,
  primary key (agent, fact, day, no, how)
) without rowid;

-- Figures about beliefs, not beliefs: what each agent last made of a fact. All of it can be made again.
create table recalled (
  agent text not null,
  fact integer not null references facts (no),
  day real not null,
  corruption_type text not null,
  confidence real not null,
  primary key (agent, fact)
) without rowid;

create table recall_counts (
  agent text not null,
  corruption_type text not null,
  bin integer not null,
  n integer not null,
  sure real not null,
  squared real not null,
  primary key (agent, corruption_type, bin)
) without rowid;

create index facts_in_order on facts (grp, session, no);
