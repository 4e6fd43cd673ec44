-- Who sits at a campaign's table, as one record, and what they say beside the story.
create table shared_table (
    one integer primary key check (one = 1),
    record text not null
);

create table talk (
    no integer primary key autoincrement,
    line text not null
);
