"""The three MCP servers of the lore researcher, and the gateway over them."""
