-- What a model said to what. Long texts are compressed with zlib: a blob is such a text, a text is itself.

create table tapes (
  id integer primary key,
  key text not null,
  campaign text not null,
  turn_id text not null,
  turn_no integer not null,
  pass_id text not null,
  prompt text not null,
  model text not null,
  seed text not null,
  input not null,
  text not null,
  output,
  error text not null,
  degraded text not null,
  calls integer not null,
  input_tokens integer not null,
  output_tokens integer not null,
  cost_usd real not null,
  tries integer not null,
  ms real not null,
  at text not null,
  -- `at` in seconds since 1970, so that moments compare whatever zone they were written in.
  moment real not null
);

create index tapes_by_key on tapes (campaign, key);
create index tapes_by_turn on tapes (campaign, turn_no);
create index tapes_by_moment on tapes (moment);

create trigger tapes_keep_rows before update on tapes
begin
  select raise(abort, 'tapes are only ever added to: no row may be changed');
end;
