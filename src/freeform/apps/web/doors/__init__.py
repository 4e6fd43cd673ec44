"""Doors for other programs: the OpenAI protocol and MCP."""
