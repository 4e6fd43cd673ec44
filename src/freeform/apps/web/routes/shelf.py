"""Routes of the shelf: how the server stands, which model plays, what can be played, what is being played."""

from fastapi import APIRouter
from pydantic import SecretStr

from freeform import __version__, wiring
from freeform.apps.beginning import begin_campaign
from freeform.apps.web import requests, responses, views
from freeform.apps.web.room import At, Once, Room
from freeform.core.chance import Chance
from freeform.core.dice import throw
from freeform.core.errors import FreeformError
from freeform.engine.authored.library import load_scenario, scenario_files
from freeform.engine.campaign.begin import session_zero_questions
from freeform.engine.campaign.sessions import active
from freeform.settings import Settings

router = APIRouter(prefix="/api", tags=["shelf"])


@router.get("/status")
async def status(room: At) -> responses.Status:
    """How this server stands."""
    rows = await wiring.models(room.settings)
    return responses.Status(
        version=__version__,
        model=room.model,
        stays_here=await wiring.stays_here(room.settings, room.model),
        vectors_sent_to=room.settings.vectors_sent_to,
        models=[responses.ModelRow(**row) for row in rows],
        home=str(room.settings.home),
        campaigns=len(await room.table.store.campaigns()),
    )


@router.post("/model")
async def choose_model(room: At, wanted: requests.ModelChoice) -> responses.Chosen:
    """Another model plays from now on, for this run of the server. Keys are not kept."""
    await room.seat(_with(room.settings, wanted))
    stays_here = await wiring.stays_here(room.settings, room.model)
    return responses.Chosen(model=room.model, stays_here=stays_here)


@router.post("/model/test")
async def test_model(room: At, wanted: requests.ModelChoice) -> responses.Tried:
    """Asks a model one small question."""
    try:
        await wiring.try_model(_with(room.settings, wanted))
    except FreeformError as wrong:
        return responses.Tried(ok=False, message=str(wrong))
    return responses.Tried(ok=True, message=f"{wanted.model} answers")


def _with(settings: Settings, wanted: requests.ModelChoice) -> Settings:
    given: dict[str, object] = {"model": wanted.model}
    kind = wanted.model.partition(":")[0]
    if wanted.key:
        name = f"{kind}_api_key" if f"{kind}_api_key" in Settings.model_fields else "openai_api_key"
        given[name] = SecretStr(wanted.key)
    if wanted.base_url:
        given["ollama_url" if kind == "ollama" else "base_url"] = wanted.base_url
    return settings.model_copy(update=given)


@router.get("/scenarios")
async def scenarios(room: At) -> responses.Scenarios:
    """What can be played, with its heroes and the questions of session zero."""

    async def read() -> responses.Scenarios:
        found = [
            load_scenario(id, room.settings.home)
            for id in sorted(scenario_files(room.settings.home))
        ]
        return responses.Scenarios(
            scenarios=[views.scenario(one, session_zero_questions(one)) for one in found]
        )

    return await room.kept.get("scenarios", room.content("scenarios"), read)


@router.get("/campaigns")
async def campaigns(room: At) -> responses.Campaigns:
    """All campaigns, last played first."""
    return responses.Campaigns(campaigns=await room.table.store.campaigns())


@router.post("/campaigns", status_code=201)
async def new_campaign(
    room: At, key: Once, wanted: requests.NewCampaign
) -> responses.CampaignBegun:
    """Begins a campaign."""

    async def work() -> responses.CampaignBegun:
        scenario = load_scenario(wanted.scenario, room.settings.home)
        seed = wanted.seed if wanted.seed is not None else room.settings.seed
        name, begun = await begin_campaign(
            scenario, room.table, wanted.answers, wanted.campaign, seed
        )
        return responses.CampaignBegun(
            campaign=name,
            opening=begun.opening,
            suggested_actions=begun.suggested_actions,
            seed=begun.seed,
        )

    answer: responses.CampaignBegun = await room.plays.once("", key, work)
    return answer


@router.get("/campaigns/{campaign}")
async def campaign(room: At, campaign: str) -> responses.CampaignView:
    """A campaign where it stands."""
    return await stands(room, campaign)


async def stands(room: Room, campaign: str) -> responses.CampaignView:
    """A campaign where it stands."""
    store = room.table.store
    begun, head = await store.begun(campaign), await store.head(campaign)
    prompt, suggested, pending = views.last_words(begun, await store.tail(campaign, 1))
    flight = room.plays.flights.get(campaign)
    return responses.CampaignView(
        id=campaign,
        name=begun.name,
        scenario=begun.scenario.id,
        branch=head.branch,
        turn_no=head.turn_no,
        opening=begun.opening,
        suggested_actions=suggested,
        next_prompt=prompt,
        pending=pending,
        playing=flight.turn_id if flight else "",
        session=active(await store.get_state(campaign)),
    )


class Rolled(responses.Shape):
    """Dice as they fell."""

    expr: str
    total: int
    text: str
    dice: list[int]


@router.post("/roll")
async def roll(room: At, wanted: requests.RollBody) -> Rolled:
    """Rolls dice beside the game."""
    rolled = throw(wanted.expr, Chance(room.table.ids.new("roll"), "roll"))
    return Rolled(expr=rolled.expr, total=rolled.total, text=rolled.text, dice=rolled.dice)
