"""The researcher and the validator at work: steps, zones, decisions, letters."""
