-- Keys under which something is done once, whichever process is asked; an hour long.
create table claims (
  key text primary key,
  at timestamptz not null default now()
);
