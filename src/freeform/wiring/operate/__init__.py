"""What running it for others needs: servers outside, databases copied while they are written."""
