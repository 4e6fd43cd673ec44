-- Which request a tape was made for, as the log names it.
alter table tapes add column request text not null default '';
