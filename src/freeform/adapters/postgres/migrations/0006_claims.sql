-- Keys under which something is done once, whichever process is asked; an hour long. One that a
-- process has begun that is gone is free.
create table claims (
  key text primary key,
  process text not null,
  done boolean not null,
  at timestamptz not null default now()
);
