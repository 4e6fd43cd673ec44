"""The worker: a process that answers players' questions for a party elsewhere."""
