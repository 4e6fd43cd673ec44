"""The embedder as an ONNX file: the encoder, then the mean of its tokens at unit length."""

from freeform.adapters.encoder.graph import Graph
from freeform.adapters.encoder.table import WIDTH, Table


def build(table: Table) -> bytes:
    """The model file. In: `ids` and `mask` (text, token), `at` (token). Out: `vectors` (text, 384),
    unit length."""
    g = Graph(table)
    x = g.node("Add", g.words("ids"), g.node("Gather", "places", "at"))
    mean = g.mean(g.layers(x))
    g.node("Div", mean, g.node("ReduceL2", mean, "second", keepdims=1), out=["vectors"])
    g.takes("ids", "int64", "text", "token")
    g.takes("at", "int64", "token")
    g.takes("mask", "float32", "text", "token")
    g.gives("vectors", "float32", "text", WIDTH)
    return g.file("all-MiniLM-L6-v2")
