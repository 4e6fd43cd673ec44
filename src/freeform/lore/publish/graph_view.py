"""The graph as it is drawn: every edge has both its ends, also those that nobody has researched
yet."""

from collections.abc import Mapping

from freeform.core.errors import NotFound
from freeform.core.text import slug
from freeform.lore.model import Kind, LoreGraph, NodeRow
from freeform.lore.ports import LoreStore


async def shown_graph(store: LoreStore, game: str, zone: str = "") -> LoreGraph:
    """The accepted graph of a game, or of a zone by its name or id, with stubs where an edge leads
    outside."""
    zone_id = slug(zone)
    graph = await store.graph(game, zone_id)
    if zone and not any(node.kind == "zone" and node.id == zone_id for node in graph.nodes):
        names = [row.name for row in await store.rows(game, "zone")]
        raise NotFound(f"no zone '{zone}' in '{game}'; there are: {', '.join(names) or 'none yet'}")
    if zone:
        whole = await store.graph(game)
        own = [
            e
            for e in whole.edges
            if ("zone", zone_id) in ((e.source_kind, e.source_id), (e.target_kind, e.target_id))
        ]
        known = {(e.name, e.source_id, e.target_id, e.label) for e in graph.edges}
        graph = graph.model_copy(
            update={
                "edges": [
                    *graph.edges,
                    *(e for e in own if (e.name, e.source_id, e.target_id, e.label) not in known),
                ]
            }
        )
    claims = await store.claims(game)
    called = {claim.value_id: claim.value_name for claim in claims if claim.value_id}
    return with_stubs(graph, game, called)


def with_stubs(graph: LoreGraph, game: str, names: Mapping[str, str] | None = None) -> LoreGraph:
    """A node for every end of an edge that has none: `data.stub` is true, its confidence 0. `names`:
    what pages call things, by id."""
    called = names or {}
    known = {(node.kind, node.id) for node in graph.nodes}
    missing: dict[tuple[Kind, str], None] = {}
    for edge in graph.edges:
        for end in ((edge.source_kind, edge.source_id), (edge.target_kind, edge.target_id)):
            if end not in known:
                missing.setdefault(end)
    stubs = [
        NodeRow(
            kind=kind,
            id=id,
            name=called.get(id) or id.replace("_", " ").title(),
            game=game,
            data={"stub": True},
        )
        for kind, id in missing
    ]
    return graph.model_copy(update={"nodes": [*graph.nodes, *stubs]})
