"""Packs: worlds as folders of Markdown that anyone can write, check, share and layer."""
