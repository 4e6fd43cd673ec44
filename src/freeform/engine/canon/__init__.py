"""What is told against what is so: prose sentence by sentence, and what a narrator brings in."""
