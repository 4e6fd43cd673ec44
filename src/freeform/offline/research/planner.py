"""Plans for the common shapes of research: every X with its A and B; X against Y; who, when, why
about X."""

import re
from collections.abc import Iterable

from freeform.assistant.research.model import Plan, PlannedStep
from freeform.assistant.research.passes import ResearchPlannerInput
from freeform.assistant.research.words import telling
from freeform.core.chance import Chance
from freeform.core.text import slug
from freeform.language.forms import is_plural

_EVERY = re.compile(
    r"\b(?:every|each|all(?: of)?(?: the)?|list(?: of)?(?: all)?(?: the)?)\s+(?:different\s+)?(?P<kind>[^,;:?.]+?)"
    r"(?:\s+(?:in|of|from|on)\s+(?:the|this|our)\s+(?:game|world|book|campaign|pack)\b)?"
    r"(?:\s*[,;:]?\s*(?:including|together with|along with|with|and|plus|as well as)\s+(?P<facets>.+?))?[?.!]*$",
    re.I,
)
_THERE = re.compile(
    r"^(?:which|what)\s+(?P<kind>[^,;:?.]+?)\s+(?:are there|exist|do we know(?: of)?|are known)"
    r"(?:\s+(?:in|on|of)\s+(?P<place>[^,;:?.]+?))?(?:\s*,?\s*and\s+(?P<facets>.+?))?[?.!]*$",
    re.I,
)
_ASKED = re.compile(r",?\s+(?:and\s+)?(?=(?:who|what|when|where|why|how)\b)", re.I)
_PRONOUN = re.compile(r"\b(?:she|he|it|they|her|him|them|his|their|its)\b", re.I)
_PERSON = re.compile(r"\b(?:she|he|they|her|him|them|his|their)\b", re.I)
_WHO_DOES = re.compile(r"^\W*who\s+(?P<does>\w+)\s+(?P<what>.+)$", re.I)
_WHO = re.compile(r"^\W*(?:who|whom|which (?:person|man|woman))\b", re.I)
_CALLED = r"(?:the\s+)?[A-Z][\w'’-]*(?:\s+(?:of\s+(?:the\s+)?)?[A-Z][\w'’-]*)*"
_WHO_IS = re.compile(rf"^\W*[Ww]ho\s+(?:is|are|was|were)\s+{_CALLED}\W*$")
_OF = re.compile(rf"\bthe\s+(?P<role>[a-z]+(?: [a-z]+)?)\s+of\s+(?P<name>{_CALLED})")
_WHOSE = re.compile(rf"(?P<name>{_CALLED})['’]s\s+(?P<role>[a-z]+)\b(?=\s+\w)")
_WHICH = re.compile(
    rf"\b(?:the\s+)?(?:person|one|man|woman|people|place|faction|group|whoever)\s+"
    rf"(?:who|that|which)?\s*(?P<role>[a-z]+(?:\s+[a-z]+)?\s+{_CALLED})(?P<name>)"
)
_NAME = re.compile(r"\b(?:the\s+)?[A-Z][\w'’-]*(?:\s+(?:of\s+(?:the\s+)?)?[A-Z][\w'’-]*)*")
_QUANTITY = re.compile(r"^(?:(?:every|each|all|any|of|the|me|us|different|single|known)\s+)+", re.I)
_COMPARE = re.compile(
    r"\b(?:compare|contrast|differences? between)\s+(?P<names>.+?)"
    r"(?:\s+(?:by|in terms of|on|for|regarding|with respect to)\s+(?P<facets>.+?))?[?.!]*$",
    re.I,
)
_VERSUS = re.compile(r"^(?P<names>.+?\s+(?:vs\.?|versus)\s+.+?)[?.!]*$", re.I)
_DETAILS = re.compile(r"\b(?:details?|everything|information|info|overview)\b", re.I)
_SPLIT = re.compile(
    r"\s*,\s*(?:and\s+)?|\s+and\s+|\s+vs\.?\s+|\s+versus\s+|\s+with\s+|\s*;\s*", re.I
)
_NOUNS = {
    "leads": "leader",
    "lead": "leader",
    "rules": "ruler",
    "owns": "owner",
    "lives": "location",
    "live": "location",
}
_EACH = re.compile(r"\b(?:who|of (?:them|these|those)|each|for each|it|them)\b", re.I)
_OWN = re.compile(r"^(?:(?:their|its|the|a|an|his|her|what|where|which|how)\s+)+", re.I)


def respond(input: ResearchPlannerInput, chance: Chance) -> Plan:
    """A plan, or, when steps came back with nothing, another way to look for the same."""
    tools = [tool.name for tool in input.tools]
    if input.came_back:
        return Plan(
            plan=[changed for step in input.refused if (changed := _otherwise(step, tools))]
        )
    question = " ".join(input.question.split())
    steps = _compared(question, tools) or _every(question, tools) or _several(question, tools)
    steps = steps or _chained(question, tools) or _about(question, tools)
    left_out = [step.description for step in steps[input.max_steps :]]
    return Plan(plan=steps[: input.max_steps], left_out=left_out)


def _every(question: str, tools: list[str]) -> list[PlannedStep]:
    shape = _THERE.match(question) or _EVERY.search(question)
    if not shape or not telling(shape["kind"]):
        return []
    kind, tool = _QUANTITY.sub("", shape["kind"].strip()), _first(tools, "rag_query")
    if place := shape.groupdict().get("place"):
        kind = f"{kind} in {place.strip()}"
    parts = (_EACH.sub("", part).strip() for part in _parts(shape["facets"] or ""))
    parts = (_NOUNS.get(part.lower(), part) for part in parts)
    told = list(dict.fromkeys(part for part in parts if telling(part)))
    narrow = " ".join(part for part in told if re.search(r"\d", part))
    wishes = [part for part in told if not re.search(r"\d", part)]
    key = _key(kind) or "things"
    query = f"list of all {kind}" + (f" with {narrow}" if narrow else "")
    head = re.split(r"\s(?:in|of|from|on)\s", kind)[0]
    told_kind = f"{'all' if is_plural(head) else 'every'} {kind}"
    first = PlannedStep(
        stepId=1,
        description=f"Find {told_kind}.",
        tool=tool,
        parameters={"query": query},
        output_key=f"{key}_list",
    )
    if _DETAILS.search(question[: shape.start()]) or not wishes:
        wishes = ["", *wishes]
    return [first, *(_for_each(at, wish, key, tool) for at, wish in enumerate(wishes, start=2))]


def _for_each(at: int, wish: str, key: str, tool: str) -> PlannedStep:
    return PlannedStep(
        stepId=at,
        description=f"For each, find its {wish}."
        if wish
        else "For each, find what is known of it.",
        tool=tool,
        parameters={"query": f"{wish} of {{item}}" if wish else "{item}"},
        depends_on=[1],
        iterate_over=f"{key}_list",
        output_key=f"{key}_{_key(wish) or 'details'}",
    )


def _compared(question: str, tools: list[str]) -> list[PlannedStep]:
    shape = _COMPARE.search(question) or _VERSUS.match(question)
    if not shape:
        return []
    names = [part for part in _parts(shape["names"]) if part]
    wishes = _parts(shape.groupdict().get("facets") or "")
    if len(names) < 2:
        return []
    tool, steps = _first(tools, "rag_query"), list[PlannedStep]()
    for name in names:
        for wish in wishes or [""]:
            steps.append(
                PlannedStep(
                    stepId=len(steps) + 1,
                    description=f"Find the {wish} of {name}."
                    if wish
                    else f"Find what is known of {name}.",
                    tool=tool,
                    parameters={"query": f"{wish} of {name}" if wish else name},
                    output_key=f"{_key(name)}_{_key(wish)}_{len(steps) + 1}".replace("__", "_"),
                )
            )
    return steps


def _several(question: str, tools: list[str]) -> list[PlannedStep]:
    """`Who is Chen, who employs her, and why is she here?`: each question for itself, the name in
    place of her."""
    first, *rest = [
        part.strip(" ,;?.") for part in _ASKED.split(question) if part.strip(" ,;?.")
    ] or [question]
    names = _NAME.findall(first.partition(" ")[2])
    if not rest or not names or not all(_PRONOUN.search(part) for part in rest):
        return []
    tool = _first(tools, "rag_query")
    opening = _asking(1, _as_facet(first), tool)
    named = _WHO_IS.match(first)  # `Who is Agent Chen, and who employs her?`
    if _WHO.match(first) and not named and all(_PERSON.search(part) for part in rest):
        # Who it is, is what the first step finds: `he` stands for that.
        after = [_PERSON.sub("{item}", part, count=1) for part in rest]
        return [opening, *(_going_on(at, part, opening) for at, part in enumerate(after, start=2))]
    asked = [_PRONOUN.sub(names[-1], part, count=1) for part in rest]
    return [opening, *(_asking(at, part, tool) for at, part in enumerate(asked, start=2))]


def _as_facet(asked: str) -> str:
    """`Who owns the Neon Dragon` asks for its owner."""
    hit = _WHO_DOES.match(asked)
    noun = _NOUNS.get(hit["does"].lower()) if hit else None
    return f"{noun} of {hit['what']}" if hit and noun else asked


def _asking(at: int, part: str, tool: str) -> PlannedStep:
    return PlannedStep(
        stepId=at,
        description=f"Find out: {part}?",
        tool=tool,
        parameters={"query": part},
        output_key=f"{_key(part) or 'asked'}_{at}",
    )


def _going_on(at: int, part: str, after: PlannedStep) -> PlannedStep:
    """A step about whatever another one names."""
    told = part.replace("{item}", "whoever or whatever that is")
    return PlannedStep(
        stepId=at,
        description=f"Find out: {told}?",
        tool=after.tool,
        parameters={"query": part},
        depends_on=[after.stepId],
        iterate_over=after.output_key,
        output_key=f"{_key(part.replace('{item}', '')) or 'asked'}_{at}",
    )


def _chained(question: str, tools: list[str]) -> list[PlannedStep]:
    """`Where does the owner of the Neon Dragon live?`: first the owner, then where that one
    lives."""
    hit = _OF.search(question) or _WHICH.search(question) or _WHOSE.search(question)
    if not hit:
        return []
    inner = f"{hit['role']} of {hit['name']}" if hit["name"] else f"who {hit['role']}"
    rest = f"{question[: hit.start()]}{{item}}{question[hit.end() :]}".strip(" ?.!")
    if not telling(rest.replace("{item}", "")) or not telling(hit["role"]):
        return []
    first = PlannedStep(
        stepId=1,
        description=f"Find the {inner}." if hit["name"] else f"Find {inner}.",
        tool=_first(tools, "rag_query"),
        parameters={"query": inner},
        output_key=f"{_key(inner) or 'first'}_1",
    )
    return [first, _going_on(2, rest, first)]


def _about(question: str, tools: list[str]) -> list[PlannedStep]:
    """Any other question: asked of every place that may know."""
    wanted = [
        tool for tool in ("rag_query", "session_query", "web_search") if tool in tools
    ] or tools[:1]
    where = {"rag_query": "the books", "session_query": "the notes", "web_search": "the web"}
    return [
        PlannedStep(
            stepId=at,
            description=f"Look in {where.get(tool, tool)}: {question}",
            tool=tool,
            parameters={"query": question},
            output_key=f"found_{slug(tool)}",
        )
        for at, tool in enumerate(wanted, start=1)
    ]


def _otherwise(step: PlannedStep, tools: list[str]) -> PlannedStep | None:
    """Another tool that may know; for a list, fewer words first."""
    query = step.parameters.get("query", "")
    kind = re.sub(r"^list of all ", "", query)
    words = kind.split()
    if kind != query and len(words) > 1 and " with " not in kind:
        return step.model_copy(
            update={"parameters": {**step.parameters, "query": f"list of all {words[-1]}"}}
        )
    for other in ("lore_query", "rag_query", "web_search"):
        if (
            other in tools
            and other != step.tool
            and not (step.tool == "rag_query" and other == "lore_query")
        ):
            return step.model_copy(update={"tool": other})
    return None


def _parts(text: str) -> list[str]:
    return [
        clean for part in _SPLIT.split(text) if (clean := _OWN.sub("", part.strip(" ?.!")).strip())
    ]


def _key(text: str) -> str:
    """A short name for what a step finds; it begins with a letter."""
    return re.sub(r"^\d+_?", "", slug(text))[:28].strip("_")


def _first(tools: Iterable[str], wanted: str) -> str:
    given = list(tools)
    return wanted if wanted in given else given[0]
