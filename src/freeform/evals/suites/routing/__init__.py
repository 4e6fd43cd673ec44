"""The suite `routing`: which tools and intentions questions need, as the selector says against what
people say."""
