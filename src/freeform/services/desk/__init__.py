"""The game master's desk: stories that somebody is writing."""
