"""What a premise says: its people, places, things and matters."""
