"""What goes on in the server between requests: turns, books, parties, and who listens."""
