"""Routes of the shelf: how the server stands, which model plays, what can and what is played."""

import asyncio

from fastapi import APIRouter, UploadFile

from freeform import __version__
from freeform.apps.web import requests, responses
from freeform.apps.web.room import At, Once, Room, Seen
from freeform.apps.web.uploads import uploaded
from freeform.apps.web.visitors import Who
from freeform.core.errors import FreeformError
from freeform.engine.proof.report import ScenarioReport
from freeform.services import campaigns as tables
from freeform.services import models, play
from freeform.services.model import keeping
from freeform.services.model.trial import try_on_a_turn
from freeform.services.scenario import check as checks
from freeform.services.scenario import forging
from freeform.services.table.people import find_table
from freeform.services.views.records import CampaignView
from freeform.settings import Settings
from freeform.settings.kept import OF_MODEL

router = APIRouter(prefix="/api", tags=["shelf"])


@router.get("/status")
async def status(room: At, who: Who) -> responses.Status:
    """How this server stands; from a seat, no more than which model plays."""
    if not who.is_owner:
        return responses.Status(
            version=__version__,
            model=models.shown_model(room.model),
            stays_here=await models.stays_here(room.settings, room.model),
            models=[],
            home="",
            campaigns=1,
            seat=who.campaign,
            role=who.role,
        )
    return responses.Status(
        version=__version__,
        model=room.model,
        stays_here=await models.stays_here(room.settings, room.model),
        vectors_sent_to=room.settings.vectors_sent_to,
        models=await models.list_models(room.settings),
        home=str(room.settings.home),
        campaigns=len(await tables.list_campaigns(room.house)),
    )


@router.post("/model")
async def choose_model(room: At, wanted: requests.ModelChoice) -> responses.Chosen:
    """Another model plays from now on, in this run of the server; with `keep` after it, too."""
    await room.house.seat(_with(room.settings, wanted))
    room.on_choice({name: getattr(room.settings, name) for name in OF_MODEL})
    if wanted.keep:
        # A keyring may ask its owner for a password: everyone else plays on meanwhile.
        await asyncio.to_thread(keeping.keep_choice, room.settings, room.model, wanted.key)
    stays_here = await models.stays_here(room.settings, room.model)
    return responses.Chosen(model=room.model, stays_here=stays_here)


@router.delete("/model")
async def forget_model(room: At) -> keeping.ProvidersShown:
    """What was kept is forgotten, keys too; who plays now plays on."""
    await asyncio.to_thread(keeping.forget_choice, room.settings)
    return await keeping.list_providers(room.settings)


@router.get("/model/providers")
async def providers(room: At) -> keeping.ProvidersShown:
    """Who offers models, and whether a key is at hand; never the key."""
    return await keeping.list_providers(room.settings)


@router.post("/model/served")
async def served(room: At, wanted: requests.ServedBody) -> responses.ServedModels:
    """The models that a server lists."""
    found = await keeping.list_served(room.settings, wanted.kind, key=wanted.key, url=wanted.url)
    return responses.ServedModels(models=found)


@router.post("/model/test")
async def test_model(room: At, wanted: requests.ModelChoice) -> responses.Tried:
    """Asks a model one small question, then plays a turn with it in a story that is not kept."""
    asked = _with(room.settings, wanted)
    try:
        await models.try_model(asked)
        trial = await try_on_a_turn(asked)
    except FreeformError as wrong:
        return responses.Tried(ok=False, message=str(wrong))
    return responses.Tried(ok=True, message=f"{wanted.model} answers", trial=trial)


def _with(settings: Settings, wanted: requests.ModelChoice) -> Settings:
    return models.with_model(settings, wanted.model, key=wanted.key, base_url=wanted.base_url)


@router.get("/scenarios")
async def scenarios(room: At) -> responses.Scenarios:
    """What can be played, with its heroes and the questions of session zero."""

    async def read() -> responses.Scenarios:
        return responses.Scenarios(scenarios=tables.scenario_choices(room.settings))

    return await room.kept.get("scenarios", room.content("scenarios"), read)


@router.get("/scenarios/{scenario}/check")
async def check_scenario(room: At, scenario: str) -> ScenarioReport:
    """Every mistake in a scenario on the shelf at once, and what play reaches of it."""
    return await checks.check_scenario(room.house, scenario)


@router.post("/scenarios/check")
async def check_upload(room: At, file: UploadFile) -> ScenarioReport:
    """The same for a file; nothing is kept."""
    async with uploaded(file) as arrival:
        return await checks.check_path(room.house, arrival.path)


@router.get("/campaigns")
async def campaigns(room: At, deleted: bool = False) -> responses.Campaigns:
    """All campaigns, last played first; with `deleted`, those in the bin."""
    listed = tables.list_deleted if deleted else tables.list_campaigns
    return responses.Campaigns(campaigns=await listed(room.house))


@router.post("/scenarios", status_code=201)
async def new_scenario(room: At, key: Once, wanted: requests.StoryWish) -> forging.ForgedKept:
    """Makes a scenario from a premise, packs, a card or a seed, and keeps it."""

    async def work() -> forging.ForgedKept:
        return await forging.new_scenario(room.house, wanted.order())

    made: forging.ForgedKept = await room.plays.once("", key, work)
    return made


@router.post("/campaigns", status_code=201)
async def new_campaign(
    room: At, key: Once, wanted: requests.NewCampaign
) -> forging.ForgedBegun | tables.CampaignBegun:
    """Begins a campaign: of a scenario, or of one that is forged for it."""

    async def work() -> tables.CampaignBegun:
        forging.check_wanted(wanted.scenario, wanted.order())
        if wanted.scenario is None:
            return await forging.begin_forged(
                room.house, wanted.order(), wanted.answers, campaign=wanted.campaign
            )
        return await tables.begin_campaign(
            room.house,
            wanted.scenario,
            wanted.answers,
            campaign=wanted.campaign,
            seed=wanted.seed,
        )

    begun: tables.CampaignBegun = await room.plays.once("", key, work)
    return begun


@router.get("/campaigns/{campaign}")
async def campaign(room: At, house: Seen, who: Who, campaign: str) -> CampaignView:
    """A campaign where it stands, and whether a turn is being told there."""
    view = await tables.campaign_view(house, campaign)
    shared = await find_table(room.house, campaign)
    person = who.person or (shared.owner().id if shared else "")
    return view.model_copy(update={"playing": _playing(room, campaign, person)})


def _playing(room: Room, campaign: str, person: str) -> str:
    """The turn that is being told, for those who see it: nobody else hears of its end. Who sees it
    at a table is known with its facts, which come by themselves."""
    flight = room.plays.flights.get(campaign)
    if flight is None or (person and not flight.is_known):
        return ""
    sees = flight.seen_by is None or person in flight.seen_by
    return flight.turn_id if sees else ""


class Rolled(responses.Shape):
    """Dice as they fell."""

    expr: str
    total: int
    text: str
    dice: list[int]


@router.post("/roll")
async def roll(room: At, wanted: requests.RollBody) -> Rolled:
    """Rolls dice beside the game."""
    rolled = play.roll_dice(wanted.expr, room.table.ids.new("roll"))
    return Rolled(expr=rolled.expr, total=rolled.total, text=rolled.text, dice=rolled.dice)
