"""How long a turn takes without a model, and how that grows with the campaign."""
