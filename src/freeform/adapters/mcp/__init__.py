"""MCP as a client: the lore ports over tools of other processes."""
