"""Who and where: genres, names, voices, people and places."""
