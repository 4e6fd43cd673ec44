"""A party of AI players: its people, its nights, and how it looks from outside."""
