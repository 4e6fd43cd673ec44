"""A campaign as a whole: its beginning, its times and nights, its way out and back."""
