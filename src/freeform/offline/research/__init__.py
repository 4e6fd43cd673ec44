"""The offline answers to what research asks: a plan, and a report of what was found."""
