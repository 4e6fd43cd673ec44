"""The table on Discord: a gateway bot and a signed HTTP endpoint over the same parlour."""
