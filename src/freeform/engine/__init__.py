"""One turn of play: interpret, validate, plan, resolve, narrate, commit."""
