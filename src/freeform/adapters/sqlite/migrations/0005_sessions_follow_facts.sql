-- A session is a fact of the engine's (predicate `session`); its row follows, so undo and branches take it along.
-- Notes of scenes are a cache: they outlive a session that was undone.

drop index idx_scene_lore_scene;
drop table scene_lore;
create table scene_lore (
  id text primary key,
  campaign_id text not null,
  scene_id text not null,
  session_id text not null,
  lore_json text not null,
  retrieved_at text not null,
  foreign key (campaign_id) references campaigns (id)
);
create index idx_scene_lore_scene on scene_lore (scene_id);

create trigger session_begins after insert on facts when new.predicate = 'session' begin
  insert or replace into sessions
    (id, campaign_id, started_at, ended_at, turn_range_start, turn_range_end, session_lore_json, summary,
     world_events_pending)
  select new.subject_id, new.campaign_id, new.object_json ->> '$.value.started_at',
    new.object_json ->> '$.value.ended_at', new.object_json ->> '$.value.turn_range_start',
    new.object_json ->> '$.value.turn_range_end', coalesce(new.object_json -> '$.value.session_lore', '{}'),
    new.object_json ->> '$.value.summary', coalesce(new.object_json -> '$.value.world_events_pending', '[]');
end;

create trigger session_moves_on after update on facts when new.predicate = 'session' begin
  insert or replace into sessions
    (id, campaign_id, started_at, ended_at, turn_range_start, turn_range_end, session_lore_json, summary,
     world_events_pending)
  select new.subject_id, new.campaign_id, new.object_json ->> '$.value.started_at',
    new.object_json ->> '$.value.ended_at', new.object_json ->> '$.value.turn_range_start',
    new.object_json ->> '$.value.turn_range_end', coalesce(new.object_json -> '$.value.session_lore', '{}'),
    new.object_json ->> '$.value.summary', coalesce(new.object_json -> '$.value.world_events_pending', '[]');
end;

create trigger session_is_undone after delete on facts when old.predicate = 'session' begin
  delete from sessions where id = old.subject_id;
end;
