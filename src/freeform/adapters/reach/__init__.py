"""Whether servers outside answer, asked without signing in."""
