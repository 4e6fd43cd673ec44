-- Wrong passwords of the last minute, for all processes that serve this home.
create table wrong_tries (name text not null, at real not null);
create index wrong_tries_by_name on wrong_tries (name, at);
