-- An index is a projection: it can be deleted at any time and is made anew from the packs and the event log.
create table meta (key text primary key, value text not null) without rowid;

create table sources (
  id text primary key,
  finished integer not null default 0,  -- 0 while an indexing run is under way, or after one was cut off
  at text not null default ''
) without rowid;

create table documents (
  id integer primary key,
  key text not null unique,
  source text not null,
  digest text not null,
  pack_id text not null,
  type text not null,
  corpus text not null
);
create index documents_source on documents (source);

-- What a document is about. `local` is the id without its pack, so that short ids can be looked up too.
create table refs (
  kind text not null,
  local text not null,
  value text not null,
  document integer not null,
  primary key (kind, local, value, document)
) without rowid;
create index refs_document on refs (document);

create table chunks (
  id integer primary key,
  name text not null unique,
  document integer not null,
  place integer not null,
  audience text not null,
  known_by text not null,
  tokens integer not null,
  embedding_id text not null,
  title text not null,
  aliases text not null,
  heading text not null,
  text text not null,
  rest text not null
);
create index chunks_document on chunks (document, place);
-- Covers what is read beside each vector, in the order in which vectors lie: loading is one walk through both.
create index chunks_embedding on chunks (embedding_id, document, audience);

create table vectors (
  model text not null,
  embedding_id text not null,
  vector blob not null,
  primary key (model, embedding_id)
) without rowid;

-- Two word indexes: bm25 counts how rare a word is, and a player's scores must not know of words in secret text.
create virtual table words_all using fts5 (
  title, aliases, heading, text, content='chunks', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
);
create virtual table words_open using fts5 (
  title, aliases, heading, text, content='chunks', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
);
insert into words_all (words_all, rank) values ('rank', 'bm25(4.0, 4.0, 3.0, 1.0)');
insert into words_open (words_open, rank) values ('rank', 'bm25(4.0, 4.0, 3.0, 1.0)');

-- Fewer, larger segments while many passages are written.
insert into words_all (words_all, rank) values ('hashsize', 16777216);
insert into words_open (words_open, rank) values ('hashsize', 16777216);

create trigger chunks_in after insert on chunks begin
  insert into words_all (rowid, title, aliases, heading, text)
  values (new.id, new.title, new.aliases, new.heading, new.text);
end;
create trigger chunks_in_open after insert on chunks when new.audience <> 'gm' begin
  insert into words_open (rowid, title, aliases, heading, text)
  values (new.id, new.title, new.aliases, new.heading, new.text);
end;
create trigger chunks_out after delete on chunks begin
  insert into words_all (words_all, rowid, title, aliases, heading, text)
  values ('delete', old.id, old.title, old.aliases, old.heading, old.text);
end;
create trigger chunks_out_open after delete on chunks when old.audience <> 'gm' begin
  insert into words_open (words_open, rowid, title, aliases, heading, text)
  values ('delete', old.id, old.title, old.aliases, old.heading, old.text);
end;
