-- All campaigns in one database. The tables hold everyone's rows (`all_…`); a view of the same name as in a
-- campaign's own file shows those of `freeform.campaign`, and what is written through it becomes that campaign's.

create table held (
  campaign text primary key,
  -- Another number for a campaign that was removed and made again under the same name.
  made bigint generated always as identity,
  version bigint not null default 1
);
comment on table held is 'One writer at a time: who changes a campaign holds its row, and counts it up.';

create table all_campaigns (
  id text primary key default current_setting('freeform.campaign'),
  name text not null,
  scenario text not null default '',
  created_at text not null,
  updated_at text not null,
  calibration_json text not null default '{}',
  system_json text not null default '{}',
  genre_rules_json text not null default '{}',
  current_turn bigint not null default 0
);

create table all_log (
  campaign_id text not null default current_setting('freeform.campaign'),
  id bigint not null,
  parent bigint,
  turn_no bigint not null,
  turn_id text,
  take bigint,
  kind text not null check (kind in ('begun', 'resolved', 'narrated', 'changed')),
  at text not null,
  state_diff text not null,
  body text not null,
  primary key (campaign_id, id),
  foreign key (campaign_id, parent) references all_log (campaign_id, id),
  check (parent < id),
  check ((parent is null) = (kind = 'begun'))
);
create index log_by_parent on all_log (campaign_id, parent);
create index log_by_turn on all_log (campaign_id, turn_no, kind);
create index log_by_turn_id on all_log (campaign_id, turn_id) where turn_id is not null;
create unique index log_begins_once on all_log (campaign_id) where kind = 'begun';

create function log_grows() returns trigger language plpgsql as $$
begin
  if new.id is null then
    select coalesce(max(id), 0) + 1 into new.id from all_log where campaign_id = new.campaign_id;
  end if;
  if new.kind = 'begun' then
    update all_campaigns set scenario = coalesce(new.body::json #>> '{scenario,id}', '') where id = new.campaign_id;
  end if;
  return new;
end $$;
create trigger log_grows before insert on all_log for each row execute function log_grows();

-- Only a whole campaign may go, by whoever names it.
create function log_keeps_entries() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.campaign_id = coalesce(current_setting('freeform.removing', true), '') then
    return old;
  end if;
  raise exception 'the log is only ever added to: no entry may be changed or deleted';
end $$;
create trigger log_keeps_entries before update or delete on all_log
  for each row execute function log_keeps_entries();

create table all_branches (
  rowid bigint generated always as identity,
  campaign_id text not null default current_setting('freeform.campaign'),
  name text not null,
  head bigint not null,
  redo bigint,
  from_turn bigint not null,
  from_entry bigint not null,
  active integer not null default 0 check (active in (0, 1)),
  created_at text not null,
  primary key (campaign_id, name),
  foreign key (campaign_id, head) references all_log (campaign_id, id)
);
create unique index branches_one_active on all_branches (campaign_id) where active = 1;

create table all_events (
  campaign_id text not null default current_setting('freeform.campaign'),
  id text not null,
  turn_no bigint not null,
  player_input text not null,
  context_packet_json text not null,
  pass_outputs_json text not null,
  engine_events_json text not null,
  state_diff_json text not null,
  final_text text not null,
  prompt_versions_json text not null,
  log_id bigint,
  branch text not null default 'main',
  take bigint not null default 1,
  primary key (campaign_id, id)
);
create index events_by_log on all_events (campaign_id, log_id);

create table all_entities (
  rowid bigint generated always as identity,
  campaign_id text not null default current_setting('freeform.campaign'),
  id text not null,
  type text not null,
  name text not null,
  attrs_json text not null,
  tags text not null,
  origin text not null default 'campaign',
  pack_id text,
  pack_entity_id text,
  primary key (campaign_id, id)
);

create table all_facts (
  rowid bigint generated always as identity,
  campaign_id text not null default current_setting('freeform.campaign'),
  id text not null,
  subject_id text not null,
  predicate text not null,
  object_json text not null,
  visibility text not null,
  confidence double precision not null,
  tags text not null,
  discovered_turn bigint,
  discovery_method text,
  origin text not null default 'campaign',
  pack_id text,
  primary key (campaign_id, id)
);

create table all_scene (
  rowid bigint generated always as identity,
  campaign_id text not null default current_setting('freeform.campaign'),
  id text not null,
  location_id text not null,
  present_entity_ids_json text not null,
  time_json text not null,
  constraints_json text not null default '{}',
  visibility_conditions text,
  noise_level text,
  obscured_entities_json text default '[]',
  primary key (campaign_id, id)
);

create table all_threads (
  rowid bigint generated always as identity,
  campaign_id text not null default current_setting('freeform.campaign'),
  id text not null,
  title text not null,
  status text not null,
  stakes_json text not null,
  related_entity_ids_json text not null,
  tags text not null,
  origin text not null default 'campaign',
  pack_id text,
  primary key (campaign_id, id)
);

create table all_clocks (
  rowid bigint generated always as identity,
  campaign_id text not null default current_setting('freeform.campaign'),
  id text not null,
  name text not null,
  value bigint not null,
  max bigint not null,
  triggers_json text not null,
  tags text not null,
  origin text not null default 'campaign',
  pack_id text,
  primary key (campaign_id, id)
);

create table all_inventory (
  rowid bigint generated always as identity,
  campaign_id text not null default current_setting('freeform.campaign'),
  owner_id text not null,
  item_id text not null,
  qty bigint not null,
  flags_json text not null,
  primary key (campaign_id, owner_id, item_id)
);

create table all_relationships (
  rowid bigint generated always as identity,
  campaign_id text not null default current_setting('freeform.campaign'),
  a_id text not null,
  b_id text not null,
  rel_type text not null,
  intensity bigint not null,
  notes_json text not null,
  origin text not null default 'campaign',
  pack_id text,
  primary key (campaign_id, a_id, b_id, rel_type)
);

create table all_summaries (
  rowid bigint generated always as identity,
  campaign_id text not null default current_setting('freeform.campaign'),
  id text not null,
  scope text not null,
  scope_id text not null,
  text text not null,
  turn_no_range text not null,
  primary key (campaign_id, id)
);

create table all_scene_lore (
  campaign_id text not null default current_setting('freeform.campaign'),
  id text not null,
  scene_id text not null,
  session_id text not null,
  lore_json text not null,
  retrieved_at text not null,
  primary key (campaign_id, id)
);

-- What a model said to what; the three texts are compressed with zlib. No campaign: the name is ''.
create table all_tapes (
  id bigint generated by default as identity primary key,
  key text not null,
  campaign text not null,
  turn_id text not null,
  turn_no bigint not null,
  pass_id text not null,
  prompt text not null,
  model text not null,
  seed text not null,
  input bytea not null,
  text bytea not null,
  output bytea,
  error text not null,
  degraded text not null,
  calls integer not null,
  input_tokens integer not null,
  output_tokens integer not null,
  cost_usd double precision not null,
  tries integer not null,
  ms double precision not null,
  at text not null,
  moment double precision not null,
  request text not null default ''
);
create index tapes_by_key on all_tapes (campaign, key);
create index tapes_by_turn on all_tapes (campaign, turn_no);
create index tapes_by_moment on all_tapes (moment) include (calls, input_tokens, output_tokens, cost_usd);

create function tapes_keep_rows() returns trigger language plpgsql as $$
begin
  raise exception 'tapes are only ever added to: no row may be changed';
end $$;
create trigger tapes_keep_rows before update on all_tapes for each row execute function tapes_keep_rows();

create view campaigns as select * from all_campaigns where id = current_setting('freeform.campaign');
create view tapes as select * from all_tapes where campaign = current_setting('freeform.campaign');
do $$
declare name text;
begin
  foreach name in array array['log', 'branches', 'events', 'entities', 'facts', 'scene', 'threads', 'clocks',
    'inventory', 'relationships', 'summaries', 'scene_lore']
  loop
    execute format(
      'create view %I as select * from %I where campaign_id = current_setting(''freeform.campaign'')',
      name, 'all_' || name);
  end loop;
end $$;

-- A session is a fact of the engine's (predicate `session`).
create view sessions as
select subject_id as id, campaign_id,
  object_json::json #>> '{value,started_at}' as started_at,
  object_json::json #>> '{value,ended_at}' as ended_at,
  (object_json::json #>> '{value,turn_range_start}')::bigint as turn_range_start,
  (object_json::json #>> '{value,turn_range_end}')::bigint as turn_range_end,
  object_json::json #>> '{value,summary}' as summary
from facts where predicate = 'session';

-- The entries of the active branch, for people who ask in SQL.
create view active_path as
with recursive path (id, parent) as (
  select log.id, log.parent from log join branches on log.id = branches.head where branches.active = 1
  union all
  select log.id, log.parent from log join path on log.id = path.parent
)
select id from path;

-- SQLite's names for two things that the shared statements ask.
create function json_extract(document text, place text) returns text language sql immutable as $$
  select (document::json #> string_to_array(substr(place, 3), '.'))::text
$$;
create function json_patch(document text, change text) returns text language sql immutable as $$
  select (document::jsonb || change::jsonb)::text
$$;

-- Who sits at a campaign's table, as one record, and what they say beside the story.
create table shared_tables (
  campaign text primary key,
  record text not null
);
create table talk (
  campaign text not null references shared_tables (campaign) on delete cascade,
  no bigint not null,
  line text not null,
  primary key (campaign, no)
);
