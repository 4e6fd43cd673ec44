"""Verbs of campaigns: begin, play a turn, go back and forth, nights, in and out."""
