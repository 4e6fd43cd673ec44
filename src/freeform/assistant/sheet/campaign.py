"""The player's character of a campaign as a sheet: what the player may know of it, and nothing
hidden."""

from freeform.assistant.model import Number, Part
from freeform.assistant.sheet.model import (
    AbilitiesInfo,
    CharacterBasics,
    Feature,
    InventoryInfo,
    Item,
    Objective,
    Origin,
    ProgressInfo,
    Sheet,
    SheetRelation,
    SocialInfo,
    StoryInfo,
)
from freeform.core.text import slug
from freeform.engine.rules.known import has_heard_of
from freeform.engine.world.state import PLAYER, GameState


def campaign_sheet(state: GameState) -> Sheet:
    """The sheet as the state stands."""
    hero = state.entities.get(PLAYER)
    name = hero.name if hero else "You"
    attrs = hero.attrs if hero else {}
    stats = attrs.get("stats")
    known = [fact for fact in state.facts_of(PLAYER) if fact.visibility == "known"]
    told = [str(fact.object.get("text") or "") for fact in known]
    items = [_item(state, holding.item_id, holding.qty) for holding in state.held(PLAYER)]
    threads = [t for _, t in sorted(state.threads.items()) if t.status != "hidden"]
    return Sheet(
        id=slug(name)[:64] or "player",
        system="freeform",
        source=Origin(kind="campaign", file=state.campaign_id, at=f"turn {state.turn_no}"),
        character_basics=CharacterBasics(name=name, appearance=_plain(attrs, "pronouns")),
        abilities_info=AbilitiesInfo(
            features=[
                Feature(
                    name=str(fact.predicate).replace("_", " ").title(), origin="play", desc=text
                )
                for fact, text in zip(known, told, strict=True)
                if text
            ]
        ),
        inventory_info=InventoryInfo(items=items),
        story_info=StoryInfo(backstory={"": str(attrs["concept"])} if attrs.get("concept") else {}),
        social_info=SocialInfo(relationships=_relations(state)),
        progress_info=ProgressInfo(
            milestones=[f"turn {state.turn_no}"],
            objectives=[
                Objective(
                    text=f"{t.title}: {t.stakes['question']}"
                    if t.stakes.get("question")
                    else t.title,
                    state=t.status,
                )
                for t in threads
            ],
        ),
        missing=["a campaign of ours has its own rules: fifth-edition numbers are absent"],
        derived={
            f"stat:{key}": Number(
                label=str(key).title(),
                value=value,
                parts=[Part(label="as created", value=value, source="session zero")],
                section="ability_scores",
            )
            for key, value in (stats.items() if isinstance(stats, dict) else ())
            if isinstance(value, int)
        },
    )


def _plain(attrs: dict[str, object], *keys: str) -> dict[str, str]:
    return {key: str(attrs[key]) for key in keys if attrs.get(key)}


def _item(state: GameState, item_id: str, qty: int) -> Item:
    entity = state.entities.get(item_id)
    facts = [f for f in state.facts_of(item_id) if f.visibility == "known" and f.object.get("text")]
    desc = " ".join(
        [
            str(entity.attrs.get("description") or "") if entity else "",
            *(f.object["text"] for f in facts),
        ]
    )
    return Item(name=state.name(item_id), qty=qty, desc=desc.strip(), equipped=True)


def _relations(state: GameState) -> list[SheetRelation]:
    """Those who feel something about the player; strangers' names stay unsaid."""
    found = []
    for row in state.relationships.values():
        other = row.a_id if row.b_id == PLAYER else row.b_id if row.a_id == PLAYER else ""
        if other and row.intensity and has_heard_of(other, state):
            found.append(
                SheetRelation(
                    who=state.name(other),
                    kind=row.rel_type,
                    text=f"{row.rel_type} {row.intensity:+d}",
                )
            )
    return found
