"""What sentences mean, as far as a small model can tell; each remembers what it was asked."""
