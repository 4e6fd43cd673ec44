"""Rulebooks: packs of rules with an edition on every entry, brought in from the SRD as people have
it."""
