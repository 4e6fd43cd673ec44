-- Who does what a key was taken for, and whether it is done: one begun by a process that is gone is
-- free. Those taken before this are taken as done.
alter table claims add column process text not null default '';
alter table claims add column done boolean not null default true;
