"""A human game master's hand: corrections, directions, pins, each a logged change."""
