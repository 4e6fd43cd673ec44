"""Actions on the world: doing, going, handing things over."""
