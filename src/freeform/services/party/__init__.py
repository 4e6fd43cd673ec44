"""AI players: parties played, looked at, measured, and their workers."""
