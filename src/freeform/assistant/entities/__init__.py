"""Which names of the sources a question's words mean."""
