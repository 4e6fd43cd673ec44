"""The stages in which a language model tells a forged story anew."""
