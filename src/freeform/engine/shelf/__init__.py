"""The packs a campaign plays with: leafing, searching, quoting, installing."""
