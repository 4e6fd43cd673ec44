"""What players' words amount to: overreach, stance, lines of a prompt, repaired replies."""
