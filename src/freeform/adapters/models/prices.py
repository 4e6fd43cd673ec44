"""What a model's tokens cost, by the price list that comes with pydantic-ai; local models cost
nothing."""

from genai_prices import Usage, calc_price


def price_of(name: str, input_tokens: int, output_tokens: int) -> float | None:
    """In dollars; None where the list does not know the model."""
    kind, _, model = name.partition(":")
    if kind in ("ollama", "gguf", "offline"):
        return 0.0
    try:
        used = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
        return float(calc_price(used, model, provider_id=kind).total_price)
    except LookupError:
        return None
