"""What stands in the graph: facts as `Edge` nodes, as the design draws them, with its six
indexes."""

FOREVER = 1e18
"""Stands for 'not yet' in a span's end: not every graph database keeps an absent number."""

INDEXES = (
    "CREATE INDEX agent_session_temporal IF NOT EXISTS FOR (e:Edge) ON (e.agent_id, e.session_number, e.days_elapsed)",
    "CREATE INDEX edge_valid_at IF NOT EXISTS FOR (e:Edge) ON (e.valid_at)",
    "CREATE INDEX edge_invalid_at IF NOT EXISTS FOR (e:Edge) ON (e.invalid_at)",
    "CREATE FULLTEXT INDEX edge_fact_fulltext IF NOT EXISTS FOR (e:Edge) ON EACH [e.fact]",
    "CREATE INDEX corruption_type IF NOT EXISTS FOR (e:Edge) ON (e.corruption_type)",
    "CREATE INDEX edge_importance IF NOT EXISTS FOR (e:Edge) ON (e.importance)",
)
"""The design's six, for Neo4j. Two more find a node by its own id and by what it is about."""
MORE_INDEXES = (
    "CREATE INDEX edge_uuid IF NOT EXISTS FOR (e:Edge) ON (e.uuid)",
    "CREATE INDEX edge_subject IF NOT EXISTS FOR (e:Edge) ON (e.agent_id, e.subject, e.predicate)",
    "CREATE INDEX rehearsal_agent IF NOT EXISTS FOR (r:Rehearsal) ON (r.agent, r.fact)",
    "CREATE INDEX recalled_agent IF NOT EXISTS FOR (r:Recalled) ON (r.agent)",
    "CREATE INDEX embedding_fact IF NOT EXISTS FOR (v:Embedding) ON (v.model, v.agent_id)",
)

FALKOR_INDEXES = (
    "CREATE INDEX FOR (e:Edge) ON (e.agent_id, e.session_number, e.days_elapsed)",
    "CREATE INDEX FOR (e:Edge) ON (e.valid_at)",
    "CREATE INDEX FOR (e:Edge) ON (e.invalid_at)",
    "CALL db.idx.fulltext.createNodeIndex('Edge', 'fact')",
    "CREATE INDEX FOR (e:Edge) ON (e.corruption_type)",
    "CREATE INDEX FOR (e:Edge) ON (e.importance)",
    "CREATE INDEX FOR (e:Edge) ON (e.uuid, e.subject, e.predicate)",
    "CREATE INDEX FOR (r:Rehearsal) ON (r.agent, r.fact)",
)
"""The same for FalkorDB, whose indexes have no names. It says so when one is there already."""

KUZU_TABLES = (
    "CREATE NODE TABLE IF NOT EXISTS Edge (uuid STRING PRIMARY KEY, agent_id STRING, session_number INT64,"
    " days_elapsed DOUBLE, valid_at DOUBLE, invalid_at DOUBLE, expired_at DOUBLE, subject STRING, predicate STRING,"
    " value STRING, fact STRING, importance DOUBLE, corruption_type STRING, original_uuid STRING, confidence DOUBLE,"
    " source STRING, many BOOL, seq INT64, record STRING)",
    "CREATE NODE TABLE IF NOT EXISTS Rehearsal (uuid STRING PRIMARY KEY, agent STRING, fact STRING, day DOUBLE,"
    " no INT64, how STRING, session INT64)",
    "CREATE NODE TABLE IF NOT EXISTS Recalled (uuid STRING PRIMARY KEY, agent STRING, corruption_type STRING,"
    " confidence DOUBLE)",
    "CREATE NODE TABLE IF NOT EXISTS Embedding (uuid STRING PRIMARY KEY, model STRING, agent_id STRING, fact STRING,"
    " vector STRING)",
)
"""Kuzu wants its tables declared and keeps its own key index; it has none of the six."""
