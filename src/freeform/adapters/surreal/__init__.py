"""SurrealDB: embedded in this process, or a server by its address."""
