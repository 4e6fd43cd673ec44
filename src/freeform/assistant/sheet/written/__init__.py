"""Sheets that a person wrote, in Markdown or plain text."""
