"""What is true: state, the records of a turn, names, canon."""
