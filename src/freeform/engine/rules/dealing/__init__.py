"""What people agree on, are faced with, and do not forget."""
