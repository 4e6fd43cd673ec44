create table steps (
  seq integer primary key, key text not null unique, agent text not null, game text not null, zone_name text not null,
  step integer not null, name text not null, result text not null, spend text not null, consumed text not null, at text not null
);
create table checkpoints (game text primary key, sequence integer not null, body text not null, touched integer not null);
create table pages (
  game text not null, url text not null, sha256 text not null, body text not null, primary key (game, url, sha256)
) without rowid;
create table addresses (
  game text not null, asked text not null, url text not null, sha256 text not null, primary key (game, asked)
) without rowid;
create table reservations (
  key text primary key, game text not null, day text not null, cycle integer not null, tokens integer not null,
  settled integer not null default 0, answer text not null default ''
) without rowid;
create index reservations_by_day on reservations (game, day);
create table outbox (
  seq integer primary key, message_id text not null unique, agent text not null, body text not null,
  sent integer not null default 0
);
create table inbox (
  seq integer primary key, message_id text not null unique, agent text not null, body text not null,
  done integer not null default 0
);
create table dead_letters (seq integer primary key, id text not null unique, body text not null);
create table decisions (seq integer primary key, decision_id text not null unique, game text not null, body text not null);
create table nodes (
  game text not null, kind text not null, id text not null, body text not null, said text not null, vector blob,
  embedder text not null default '', primary key (game, kind, id)
) without rowid;
create table edges (
  game text not null, name text not null, source_kind text not null, source_id text not null, target_kind text not null,
  target_id text not null, label text not null, confidence real not null,
  primary key (game, name, source_kind, source_id, target_kind, target_id, label)
) without rowid;
create table claims (
  seq integer primary key, game text not null, id text not null, subject_id text not null, body text not null,
  unique (game, id)
);
create index claims_by_subject on claims (game, subject_id);
create table packages (game text not null, zone_id text not null, body text not null, primary key (game, zone_id)) without rowid;
