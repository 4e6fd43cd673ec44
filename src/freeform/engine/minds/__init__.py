"""People with minds: what they are asked, what they answer from, what they do meanwhile."""
