-- Calls to models, for all processes: buckets that fill up again, and what a person used in a day.
create table buckets (name text primary key, full_at double precision not null);
create table used (
  name text not null, day text not null, calls bigint not null, input bigint not null,
  output bigint not null, cost double precision not null, primary key (name, day));
