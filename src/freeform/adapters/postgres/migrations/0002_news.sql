-- What happens at tables, for every process that serves them; kept for an hour.

create table news (
  id bigint generated always as identity primary key,
  sender text not null,
  number bigint not null,
  kind text not null,
  data text not null,
  people text not null default '[]',
  at timestamptz not null default now(),
  -- A piece that is sent again, because nobody knew whether it was kept, is kept once.
  unique (sender, number)
);
create index news_by_time on news (at);

-- One row: the name of this row of numbers.
create table run (
  one integer primary key default 1 check (one = 1),
  name text not null default gen_random_uuid()::text
);
insert into run default values;

-- The processes that serve these tables, with the settings that should be the same for all.
create table servers (
  process text primary key,
  said text not null,
  seen timestamptz not null default now()
);
