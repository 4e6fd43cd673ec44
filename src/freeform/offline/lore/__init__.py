"""Pages of wikis read without a model: clauses of known shapes, and a reader that was taught."""
