"""Redis: a party's messages as Lists, and its questions as RQ jobs."""
