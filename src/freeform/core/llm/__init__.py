"""The way to language models: the gateway, its limits, prompts, tapes."""
