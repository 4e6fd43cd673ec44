"""The forge for every door: a premise, packs or a card become a kept scenario, and a campaign."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from freeform.core.errors import BadFile, UserError
from freeform.core.record import Record
from freeform.engine.authored.library import load_system
from freeform.engine.authored.scenario import Scenario
from freeform.engine.authored.system import System
from freeform.engine.campaign.begin import Answers
from freeform.engine.rules.safety import SafetyLimits
from freeform.engine.world.names import mentioned
from freeform.engine.world.state import GameState
from freeform.forge.forge import (
    forge_in_stages,
    forge_scenario,
    refuse_what_crosses,
    told_in,
)
from freeform.forge.model import (
    DEFAULT_LINES,
    DEFAULT_VEILS,
    Forged,
    ForgeMaterial,
    ForgeWish,
    PieceSource,
    WishCard,
)
from freeform.forge.premise.read import plain_prose
from freeform.forge.premise.teller import tells_of_others
from freeform.forge.stages.run import Progress, StagedTelling, no_progress, stage_estimate
from freeform.packs.formats.card import MOST_TEXT, read_card
from freeform.packs.lock import write_atomically
from freeform.services.campaigns import CampaignBegun, begin_campaign, draw_seed
from freeform.services.house import House
from freeform.services.scenario.answers import AnswerFiles, run_key
from freeform.wiring import OFFLINE
from freeform.wiring.ear import premise_ear

SYSTEM = "pbta"
_CARD_FIELDS = ("description", "personality", "scenario", "first_mes")


class ForgeOrder(Record):
    """What somebody asks of the forge, as a door hands it over."""

    premise: str | None = None
    genre: str = ""
    tone: str = ""
    packs: list[str] = Field(default_factory=list)
    """Bundled, imported, ingested or published: a pack is a pack."""
    card: bytes = b""
    card_name: str = "card"
    system: str = ""
    seed: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all was asked for."""
        return self.premise is None and not (self.packs or self.card or self.genre or self.tone)


class ForgedKept(Record):
    """A scenario that was forged and kept."""

    scenario: str
    path: str
    name: str
    genre: str
    shape: str
    question: str
    places: list[str]
    people: list[str]
    secrets: list[str]
    endings: list[str]
    sources: list[PieceSource]
    by_model: list[str] = Field(default_factory=list)
    seed: int


class ForgedBegun(CampaignBegun):
    """A campaign of a scenario that was forged for it."""

    scenario_path: str
    sources: list[PieceSource]
    """Without what a player may not know; the file beside the scenario tells all."""


def check_wanted(scenario: str | None, order: ForgeOrder) -> None:
    """UserError unless a scenario is named or something is asked of the forge, one of the two."""
    if scenario is None and order.is_empty:
        raise UserError("give a scenario, or a premise, a pack or a card to make one from")
    if scenario is not None and not order.is_empty:
        raise UserError("a scenario is named already; leave the premise, packs and card out")


def sounds_like_a_premise(text: str, state: GameState) -> bool:
    """Whether words at the table tell of somebody or something that is not there: they may be
    meant for a story of their own."""
    here = set(state.scene.present_entity_ids) & set(mentioned(text, state, ("npc",)))
    return tells_of_others(text) and not here


async def new_scenario(
    house: House, order: ForgeOrder, out: Path | None = None, progress: Progress = no_progress
) -> ForgedKept:
    """Forges a scenario and keeps it under the home; a copy goes to `out`. With a model it is told
    in stages, each of which `progress` hears of."""
    forged, seed = await _forge(house, order, Answers(), progress)
    path = _keep(house, forged)
    if out is not None:
        _write(out, _as_yaml(forged))
    return ForgedKept.model_validate({**forged.summary(), "path": str(out or path), "seed": seed})


async def begin_forged(
    house: House,
    order: ForgeOrder,
    answers: Answers | None = None,
    *,
    campaign: str | None = None,
    progress: Progress = no_progress,
    with_hero: Callable[[Scenario, Answers], Answers] | None = None,
) -> ForgedBegun:
    """Forges a scenario and begins a campaign of it, with one seed for both; `with_hero` puts
    somebody's own hero into what was agreed, by the rules of what came."""
    agreed = answers or Answers()
    forged, seed = await _forge(house, order, agreed, progress)
    agreed = with_hero(forged.scenario, agreed) if with_hero else agreed
    path = _keep(house, forged)
    begun = await begin_campaign(house, forged.scenario, agreed, campaign=campaign, seed=seed)
    told = forged.told_sources
    return ForgedBegun(**begun.model_dump(), scenario_path=str(path), sources=told)


async def forge_unkept(house: House, order: ForgeOrder) -> Forged:
    """Forges a scenario for whoever goes on writing it; nothing is put on the shelf."""
    forged, _ = await _forge(house, order, Answers(), no_progress)
    return forged


def forging_estimate(house: House, order: ForgeOrder) -> str:
    """What a model would be asked for it, in one sentence; '' where no model is set."""
    if house.model == OFFLINE:
        return ""
    return stage_estimate(order.premise or "").line(house.model)


async def _forge(
    house: House, order: ForgeOrder, answers: Answers, progress: Progress
) -> tuple[Forged, int]:
    if order.premise is not None and not order.premise.strip():
        raise UserError(
            "the premise is empty; say in a sentence what the story is about, or leave it out"
        )
    chosen = house.settings.seed if order.seed is None else order.seed
    seed = draw_seed(house) if chosen is None else chosen
    lines, veils = answers.lines, answers.veils
    wish = ForgeWish(
        premise=order.premise or "",
        genre=order.genre,
        tone=answers.tone or order.tone,
        packs=order.packs,
        seed=seed,
        lines=list(DEFAULT_LINES) if lines is None else lines,
        veils=list(DEFAULT_VEILS) if veils is None else veils,
        told=_told_before(house.settings.home / "scenarios", order.premise or ""),
    )
    system = load_system(order.system or SYSTEM, house.settings.home)
    material = _material(house, order)
    if house.model == OFFLINE:
        return forge_scenario(wish, system, material, house.table.topics, premise_ear()), seed
    return await _told_in_stages(house, wish, system, material, progress), seed


async def _told_in_stages(
    house: House, wish: ForgeWish, system: System, material: ForgeMaterial, progress: Progress
) -> Forged:
    topics = house.table.topics
    refuse_what_crosses(told_in(wish, material), wish, topics)
    store = AnswerFiles(house.settings.home / "forging")
    key = run_key(wish, material, house.model)
    limits = SafetyLimits(wish.lines, [], topics=topics)
    telling = StagedTelling(house.table.gateway, store, key, limits.crossed, progress)
    forged = await forge_in_stages(wish, system, material, premise_ear(), telling)
    if telling.is_finished():
        store.forget(key)
    return forged


def _material(house: House, order: ForgeOrder) -> ForgeMaterial:
    card = _card(order.card, order.card_name) if order.card else None
    if not order.packs:
        return ForgeMaterial(card=card)
    for pack in order.packs:
        house.books.shelf.find(pack.partition("@")[0])  # or NotFound, with what there is
    shelved = house.books.choose(order.packs)
    world = house.books.world(shelved)
    wanted = {pack.partition("@")[0] for pack in order.packs}
    entries = [entry for entry in world.entries if entry.pack_id in wanted]
    genre = next(
        (s.manifest.genre for s in shelved if s.manifest.id in wanted and s.manifest.genre), ""
    )
    return ForgeMaterial(entries=entries, genre=genre, card=card)


def _card(content: bytes, name: str) -> WishCard:
    """The card, without markup and macros."""
    if len(content) > MOST_TEXT:
        raise BadFile(name, "too large for a character card; give the card itself")
    card = read_card(content, name)
    called = plain_prose(card.name)[:80]
    if not called:
        raise BadFile(name, "the card has no name; fill in its `name` and try again")
    texts = {field: _card_text(card.data, field, called) for field in _CARD_FIELDS}
    return WishCard(
        name=called,
        description=texts["description"],
        personality=texts["personality"],
        scenario=texts["scenario"][:600],
        first_words=texts["first_mes"][:1500],
    )


def _card_text(data: dict[str, Any], field: str, name: str) -> str:
    """A field of the card as prose: macros for the two people become who they are."""
    text = str(data.get(field) or "")
    for macro, said in (
        ("{{char}}", name),
        ("<BOT>", name),
        ("{{user}}", "you"),
        ("<USER>", "you"),
    ):
        text = text.replace(macro, said).replace(macro.title(), said).replace(macro.upper(), said)
    return plain_prose(text.replace("*", ""))


def _keep(house: House, forged: Forged) -> Path:
    """The scenario's file under the home, and beside it where each piece came from."""
    path = house.settings.home / "scenarios" / f"{forged.scenario.id}.yaml"
    _write(path, _as_yaml(forged))
    rows = [row.model_dump() for row in forged.sources]
    _write(path.with_suffix(".sources.json"), json.dumps(rows, ensure_ascii=False, indent=1))
    return path


def _told_before(folder: Path, premise: str) -> list[str]:
    """Of what the stories of other premises in this home were made, so that the next has others."""
    found: list[str] = []
    own = plain_prose(premise)
    for file in sorted(folder.glob("*.sources.json")):
        try:
            rows = [PieceSource.model_validate(row) for row in json.loads(file.read_text("utf-8"))]
        except (OSError, ValueError):  # Somebody's own file: it says nothing about what was told.
            continue
        if not any(row.piece == "story of" and row.source == own for row in rows):
            found += [row.source for row in rows if row.piece == "made of"]
    return found


def _write(path: Path, text: str) -> None:
    try:
        write_atomically(path, text.encode())
    except OSError as wrong:
        raise UserError(f"the scenario could not be written to {path}: {wrong.strerror}") from None


def _as_yaml(forged: Forged) -> str:
    made = f"{forged.shape} ({forged.truth}), {forged.genre}"
    head = f"# {forged.scenario.name}: forged from the shape {made}.\n"
    return head + scenario_yaml(forged.scenario)


def scenario_yaml(scenario: Scenario) -> str:
    """A scenario as an author would write it: nothing that is left to its default."""
    data = scenario.model_dump(mode="json", exclude_defaults=True)
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=118)
