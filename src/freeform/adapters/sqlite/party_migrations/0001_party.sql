-- One party: who plays, what was said in which list, each round as a whole, and what the present round has done.
create table party (one integer primary key check (one = 1), party text not null);
create table messages (
  no integer primary key,
  list text not null,
  id text not null,
  message text not null,
  unique (list, id)
);
create index messages_by_list on messages (list, no);
create table done (key text primary key, round integer not null, value text not null) without rowid;
create table rounds (round integer primary key, record text not null);
create table tried (deed text primary key, times integer not null) without rowid;
