create index facts_of_subject on facts (grp, subject, created_at);
