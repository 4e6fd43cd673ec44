"""Routes of accounts: signing up, in and out; a provider; seats kept with one."""
