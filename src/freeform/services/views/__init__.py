"""What a player may see of a campaign, as records: never a hidden fact."""
