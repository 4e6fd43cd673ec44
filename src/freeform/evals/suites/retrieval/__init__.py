"""How well search finds: public collections, and our own packs."""
