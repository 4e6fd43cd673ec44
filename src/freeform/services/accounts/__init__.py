"""Accounts: signed up, signed in and out, and the seats that are kept with them."""
