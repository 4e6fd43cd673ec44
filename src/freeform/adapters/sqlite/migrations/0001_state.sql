-- What is true now: one row per thing. A projection of the log's active branch, rewritten whenever that moves.

create table campaigns (
  id text primary key,
  name text not null,
  created_at text not null,
  updated_at text not null,
  calibration_json text not null default '{}',
  system_json text not null default '{}',
  genre_rules_json text not null default '{}',
  current_turn integer not null default 0
);

create table entities (
  id text primary key,
  campaign_id text not null,
  type text not null,
  name text not null,
  attrs_json text not null,
  tags text not null,
  foreign key (campaign_id) references campaigns (id)
);

create table facts (
  id text primary key,
  campaign_id text not null,
  subject_id text not null,
  predicate text not null,
  object_json text not null,
  visibility text not null,
  confidence real not null,
  tags text not null,
  discovered_turn integer,
  discovery_method text,
  foreign key (campaign_id) references campaigns (id)
);

create table scene (
  id text primary key,
  campaign_id text not null,
  location_id text not null,
  present_entity_ids_json text not null,
  time_json text not null,
  constraints_json text not null default '{}',
  visibility_conditions text default null,
  noise_level text default null,
  obscured_entities_json text default '[]',
  foreign key (campaign_id) references campaigns (id)
);

create table threads (
  id text primary key,
  campaign_id text not null,
  title text not null,
  status text not null,
  stakes_json text not null,
  related_entity_ids_json text not null,
  tags text not null,
  foreign key (campaign_id) references campaigns (id)
);

create table clocks (
  id text primary key,
  campaign_id text not null,
  name text not null,
  value integer not null,
  max integer not null,
  triggers_json text not null,
  tags text not null,
  foreign key (campaign_id) references campaigns (id)
);

create table inventory (
  owner_id text not null,
  item_id text not null,
  campaign_id text not null,
  qty integer not null,
  flags_json text not null,
  primary key (owner_id, item_id, campaign_id),
  foreign key (campaign_id) references campaigns (id)
);

create table relationships (
  a_id text not null,
  b_id text not null,
  campaign_id text not null,
  rel_type text not null,
  intensity integer not null,
  notes_json text not null,
  primary key (a_id, b_id, rel_type, campaign_id),
  foreign key (campaign_id) references campaigns (id)
);

create table events (
  id text primary key,
  campaign_id text not null,
  turn_no integer not null,
  player_input text not null,
  context_packet_json text not null,
  pass_outputs_json text not null,
  engine_events_json text not null,
  state_diff_json text not null,
  final_text text not null,
  prompt_versions_json text not null,
  foreign key (campaign_id) references campaigns (id)
);

create table summaries (
  id text primary key,
  scope text not null,
  scope_id text not null,
  text text not null,
  turn_no_range text not null
);

create index idx_events_campaign_turn on events (campaign_id, turn_no);
create index idx_facts_subject on facts (subject_id);
create index idx_facts_visibility on facts (visibility);
create index idx_entities_type on entities (type);
create index idx_relationships_a on relationships (a_id);
create index idx_relationships_b on relationships (b_id);
create index idx_summaries_scope on summaries (scope, scope_id);
