"""From tapes to the questions that were put to a model, word for word. Pure."""

import re
from collections.abc import Sequence

from freeform.core.llm.prompts import Prompt, PromptRegistry
from freeform.core.llm.tape import Tape
from freeform.core.record import canonical
from freeform.core.text import count_tokens
from freeform.services.views.records import PassView

_SLOT = re.compile(r"\{\{\s*(\w+)\s*\}\}")
NOT_KEPT = "(not kept, since no model was asked)"


def passes(tapes: Sequence[Tape], prompts: PromptRegistry) -> list[PassView]:
    """Each question to a model, with what each part of it weighs."""
    return [_pass(tape, prompts) for tape in tapes]


def _pass(tape: Tape, prompts: PromptRegistry) -> PassView:
    system, text = _words(tape, prompts)
    return PassView(
        pass_id=tape.pass_id,
        prompt=tape.prompt,
        model=tape.model,
        system=system,
        text=text,
        output=tape.output,
        error=tape.error,
        tokens=_split(tape, system, text),
        input_tokens=tape.usage.input_tokens,
        output_tokens=tape.usage.output_tokens,
        ms=tape.ms,
        cost_usd=tape.usage.cost_usd,
    )


def _words(tape: Tape, prompts: PromptRegistry) -> tuple[str, str]:
    """The system text and the words. Offline writes no words down; they are made again here."""
    prompt = _prompt_of(tape, prompts)
    if prompt is None:
        return "", tape.text
    if tape.text:
        return prompt.system, tape.text
    fields: dict[str, str] = {}
    for name in _SLOT.findall(prompt.words):
        part = tape.input.get(name, NOT_KEPT)
        fields[name] = part if isinstance(part, str) else canonical(part)
    return prompt.system, prompt.render(fields)


def _prompt_of(tape: Tape, prompts: PromptRegistry) -> Prompt | None:
    for version in prompts.versions(tape.pass_id):
        prompt = prompts.get(tape.pass_id, version)
        if prompt.label == tape.prompt:
            return prompt
    return None


def _split(tape: Tape, system: str, text: str) -> dict[str, int]:
    """Tokens of each part; the parts of the context packet are told one by one."""
    parts = dict(tape.input)
    packet = parts.pop("context_packet", None)
    if isinstance(packet, dict):
        parts |= packet
    weights = {name: count_tokens(str(part)) for name, part in parts.items() if part}
    whole = count_tokens(system) + count_tokens(text)
    return {**weights, "system": count_tokens(system), "total": whole}
