"""The forge: a premise, a pack, a card or a seed becomes a scenario that can be played."""
