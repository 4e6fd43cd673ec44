"""Games of TextWorld as scenarios: their rules become affordances, their walkthroughs are
played."""
