"""The grudge, item and debt probe: what is planted early in a campaign must still be so a hundred
turns later."""
