"""An index whose vectors lie in Chroma; the extra `chroma`."""
