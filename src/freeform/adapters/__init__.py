"""One technology per folder, each behind a port. Only `wiring` names what is in here."""
