"""A BERT encoder without PyTorch: what the embedder and the ear share."""
