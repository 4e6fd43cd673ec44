"""Language models: providers over HTTP by way of pydantic-ai, and GGUF weights in this process."""
