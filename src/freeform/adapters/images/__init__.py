"""Doors to programs that draw: OpenAI's images API, AUTOMATIC1111, ComfyUI."""
