"""Reading pages: labels, prose, values, and claims with their quotes."""
