"""The routes of the JSON API, one file for each group."""
