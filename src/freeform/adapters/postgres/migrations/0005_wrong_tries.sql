-- Wrong passwords of the last minute, for all processes and servers.
create table wrong_tries (name text not null, at double precision not null);
create index wrong_tries_by_name on wrong_tries (name, at);
