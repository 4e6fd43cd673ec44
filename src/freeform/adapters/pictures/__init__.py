"""Pictures that came from outside, made safe to show."""
