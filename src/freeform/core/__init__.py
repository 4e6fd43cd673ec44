"""What every part stands on: records, errors, chance, clock, ids, text, prompts, the gateway,
tapes."""
