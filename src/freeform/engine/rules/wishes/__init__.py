"""What a player wishes to do, and whom or what it is done to."""
