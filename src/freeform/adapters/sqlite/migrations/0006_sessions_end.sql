-- Inside a trigger `or replace` gives way to the conflict clause of the statement that set it off, and facts are
-- written with one: a session that ended met its own row. The row is taken away first instead.

drop trigger session_begins;
create trigger session_begins after insert on facts when new.predicate = 'session' begin
  delete from sessions where id = new.subject_id;
  insert into sessions
    (id, campaign_id, started_at, ended_at, turn_range_start, turn_range_end, session_lore_json, summary,
     world_events_pending)
  select new.subject_id, new.campaign_id, new.object_json ->> '$.value.started_at',
    new.object_json ->> '$.value.ended_at', new.object_json ->> '$.value.turn_range_start',
    new.object_json ->> '$.value.turn_range_end', coalesce(new.object_json -> '$.value.session_lore', '{}'),
    new.object_json ->> '$.value.summary', coalesce(new.object_json -> '$.value.world_events_pending', '[]');
end;

drop trigger session_moves_on;
create trigger session_moves_on after update on facts when new.predicate = 'session' begin
  delete from sessions where id = new.subject_id;
  insert into sessions
    (id, campaign_id, started_at, ended_at, turn_range_start, turn_range_end, session_lore_json, summary,
     world_events_pending)
  select new.subject_id, new.campaign_id, new.object_json ->> '$.value.started_at',
    new.object_json ->> '$.value.ended_at', new.object_json ->> '$.value.turn_range_start',
    new.object_json ->> '$.value.turn_range_end', coalesce(new.object_json -> '$.value.session_lore', '{}'),
    new.object_json ->> '$.value.summary', coalesce(new.object_json -> '$.value.world_events_pending', '[]');
end;
