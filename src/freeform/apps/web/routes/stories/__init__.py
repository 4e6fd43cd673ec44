"""Routes of stories as things one owns, and of what there is to look at."""
