"""Answers judged as a reader would judge them."""
