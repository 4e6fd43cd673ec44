-- Accounts, each as one record, found by name or by who they are at a provider.
create table accounts (
    id text primary key,
    name text not null unique,
    vouched text unique,
    record text not null
);

-- Who was sent to a provider and is not back yet; `state` is a hash.
create table logins (
    state text primary key,
    until text not null,
    record text not null
);
