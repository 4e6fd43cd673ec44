"""The assistant's passes without a model: choosing tools, hearing names, and an extractive, cited
answer."""
