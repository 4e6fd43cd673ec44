-- The truth: entries that are only ever added, each naming the one before it, so that they form a tree.
-- A branch is a name for an entry; undo, redo and switch move names and never touch an entry.

create table log (
  id integer primary key,
  parent integer references log (id),
  turn_no integer not null,
  turn_id text,
  take integer,
  kind text not null check (kind in ('begun', 'resolved', 'narrated', 'changed')),
  at text not null,
  -- Beside the body and before it, so that folding the log never reads the bodies.
  state_diff text not null,
  body text not null,
  check (parent < id),
  check ((parent is null) = (kind = 'begun'))
);

create index log_by_parent on log (parent);
create index log_by_turn on log (turn_no, kind);
create index log_by_turn_id on log (turn_id) where turn_id is not null;
create unique index log_begins_once on log (kind) where kind = 'begun';

create trigger log_keeps_entries before update on log
begin
  select raise(abort, 'the log is only ever added to: no entry may be changed');
end;

create trigger log_loses_nothing before delete on log
begin
  select raise(abort, 'the log is only ever added to: no entry may be deleted');
end;

create trigger log_replaces_nothing before insert on log
when exists (select 1 from log where id = new.id)
begin
  select raise(abort, 'the log is only ever added to: no entry may be replaced');
end;

create table branches (
  name text primary key,
  head integer not null references log (id),
  redo integer references log (id),
  from_turn integer not null,
  from_entry integer not null references log (id),
  active integer not null default 0 check (active in (0, 1)),
  created_at text not null
);

create unique index branches_one_active on branches (active) where active = 1;

-- The entries of the active branch, for people who ask in SQL.
create view active_path as
with recursive path (id, parent) as (
  select log.id, log.parent from log join branches on log.id = branches.head where branches.active = 1
  union all
  select log.id, log.parent from log join path on log.id = path.parent
)
select id from path;

-- One row per turn and take, kept after undo too: `log_id in (select id from active_path)` says what still holds.
alter table events add column log_id integer references log (id);
alter table events add column branch text not null default 'main';
alter table events add column take integer not null default 1;

create index idx_events_log on events (log_id);
