-- Game nights, the packs a campaign reads, and where each row of the state came from.

create table sessions (
  id text primary key,
  campaign_id text not null,
  started_at text not null,
  ended_at text,
  turn_range_start integer,
  turn_range_end integer,
  session_lore_json text not null default '{}',
  summary text,
  world_events_pending text not null default '[]',
  foreign key (campaign_id) references campaigns (id)
);

create table content_packs (
  id text primary key,
  name text not null,
  version text not null,
  genre text,
  layer text not null default 'setting',
  depends_on_json text not null default '[]',
  path text not null,
  license_json text not null default '{}',
  installed_at text not null
);

create table pack_chunks (
  id text primary key,
  pack_id text not null,
  file_path text not null,
  section_path text not null,
  chunk_text text not null,
  metadata_json text not null,
  embedding_id text,
  foreign key (pack_id) references content_packs (id)
);

create table scene_lore (
  id text primary key,
  campaign_id text not null,
  scene_id text not null,
  session_id text not null,
  lore_json text not null,
  retrieved_at text not null,
  foreign key (campaign_id) references campaigns (id),
  foreign key (session_id) references sessions (id)
);

create virtual table pack_chunks_fts using fts5(
  chunk_text,
  content='pack_chunks',
  content_rowid='rowid',
  tokenize='porter unicode61'
);

create index idx_sessions_campaign on sessions (campaign_id);
create index idx_pack_chunks_pack on pack_chunks (pack_id);
create index idx_pack_chunks_metadata on pack_chunks (metadata_json);
create index idx_scene_lore_scene on scene_lore (scene_id);

alter table entities add column origin text not null default 'campaign';
alter table entities add column pack_id text;
alter table entities add column pack_entity_id text;
alter table facts add column origin text not null default 'campaign';
alter table facts add column pack_id text;
alter table threads add column origin text not null default 'campaign';
alter table threads add column pack_id text;
alter table clocks add column origin text not null default 'campaign';
alter table clocks add column pack_id text;
alter table relationships add column origin text not null default 'campaign';
alter table relationships add column pack_id text;
