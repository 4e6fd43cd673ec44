"""The players' memory in a graph database, through Graphiti's drivers: Neo4j, FalkorDB, or Kuzu in
a folder."""
