"""What goes on in an AI player's head, as plain records: wants, questions, guesses, dangers."""
