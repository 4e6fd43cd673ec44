"""What other programs call a world, turned into packs."""
