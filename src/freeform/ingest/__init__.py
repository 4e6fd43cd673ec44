"""PDF to pack: extract, structure, segment, classify, enrich, assemble, validate, systems."""
