"""The web app, in a real browser against the real server."""
