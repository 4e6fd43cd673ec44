"""Three channels and who may hear them. The router is the only door, and what it does not know it
refuses.

             characters        base personas     game master
IC           all of it         a summary         all of it
OOC          nothing           all of it         nothing
P2C          the one meant     nothing           nothing
"""

import re
from collections.abc import Sequence

from freeform.core.clock import Clock
from freeform.core.errors import Forbidden
from freeform.core.text import shorten
from freeform.language.sentences import sentences
from freeform.players.model import Channel, Layer, Listener, Message, Party
from freeform.players.ports import ChannelStore

DM = "dm"
MOST = 50
LONGEST = 2_000
"""Letters of one message that others hear; a longer one is cut, and says so."""
_SUMMARY = 160
_TOLD_FIRST, _TOLD_LAST = 350, 250
"""Letters of the game master's words that players hear: how it begins and where it leaves them."""
UNHEARD = "(spoke)"
"""All that players hear of a character who only spoke."""
_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]?")

IC_MESSAGES, IC_SUMMARIES, OOC_MESSAGES = (
    "channel:ic:messages",
    "channel:ic:summaries",
    "channel:ooc:messages",
)


def p2c_list(character: str) -> str:
    """The list of one character's directives."""
    return f"channel:p2c:{character}"


def persona_of(party: Party, agent: str) -> Listener:
    """The player's side of a seat."""
    seat = party.seat(agent)
    return Listener(layer=Layer.PERSONA, id=seat.agent, partner=seat.character.id)


def character_of(party: Party, agent: str) -> Listener:
    """The character's side of a seat."""
    seat = party.seat(agent)
    return Listener(layer=Layer.CHARACTER, id=seat.character.id, partner=seat.agent)


GAME_MASTER = Listener(layer=Layer.DM, id=DM)


class ChannelRouter:
    """Everything said goes through `send`, everything heard comes from `heard`. Both refuse by
    default."""

    def __init__(self, party: str, store: ChannelStore, clock: Clock) -> None:
        self._party, self._store, self._clock = party, store, clock

    async def send(self, speaker: Listener, message: Message) -> Message:
        """Says something once; gives what stands under its id. Forbidden when this speaker may not
        say it there."""
        may_speak(speaker, message)
        at = self._clock.now().isoformat(timespec="seconds")
        message = message.model_copy(
            update={"at": at, "content": shorten(message.content, LONGEST)}
        )
        match message.channel:
            case Channel.IC:
                said = await self._store.push(self._party, [IC_MESSAGES], message)
                short = said.model_copy(update={"content": summarize(said)})
                await self._store.push(self._party, [IC_SUMMARIES], short)
                return said
            case Channel.OOC:
                return await self._store.push(self._party, [OOC_MESSAGES], message)
            case Channel.P2C:
                return await self._store.push(
                    self._party, [p2c_list(message.to_agents[0])], message
                )

    async def read(self, listener: Listener, channel: Channel, most: int = MOST) -> list[Message]:
        """One channel, as that listener may hear it; Forbidden when it may not."""
        return await self._store.read(self._party, list_for(listener, channel), most)

    async def heard(self, listener: Listener, most: int = MOST) -> list[Message]:
        """Everything that listener may hear, in the order it was said: never more."""
        found: list[Message] = []
        for channel in hears(listener):
            found += [m for m in await self.read(listener, channel, most) if may_hear(listener, m)]
        return sorted(found, key=_order)[-most:]


def hears(listener: Listener) -> Sequence[Channel]:
    """The channels open to a listener."""
    match listener.layer:
        case Layer.CHARACTER:
            return (Channel.IC, Channel.P2C)
        case Layer.PERSONA:
            return (Channel.IC, Channel.OOC)
        case Layer.DM:
            return (Channel.IC,)


def list_for(listener: Listener, channel: Channel) -> str:
    """The list a listener reads a channel from; Forbidden where the matrix says no, or says
    nothing."""
    match listener.layer, channel:
        case ((Layer.CHARACTER | Layer.DM), Channel.IC):
            return IC_MESSAGES
        case Layer.PERSONA, Channel.IC:
            return IC_SUMMARIES
        case Layer.PERSONA, Channel.OOC:
            return OOC_MESSAGES
        case Layer.CHARACTER, Channel.P2C if listener.id:
            return p2c_list(listener.id)
        case _:
            raise Forbidden(_refusal(listener, channel))


def may_hear(listener: Listener, message: Message) -> bool:
    """Whether the matrix lets this message through to that listener: a second look at each one."""
    if message.channel not in hears(listener):
        return False
    return message.channel is not Channel.P2C or message.to_agents == [listener.id]


def may_speak(speaker: Listener, message: Message) -> None:
    """Forbidden unless that speaker may say this there, under its own name."""
    if message.from_agent != speaker.id or not speaker.id:
        raise Forbidden(
            f"'{speaker.id}' cannot speak as '{message.from_agent}'; each speaks under its own name"
        )
    match speaker.layer, message.channel:
        case ((Layer.CHARACTER | Layer.DM), Channel.IC):
            return
        case Layer.PERSONA, Channel.OOC:
            return
        case Layer.PERSONA, Channel.P2C if (
            message.to_agents == [speaker.partner] and speaker.partner
        ):
            return
        case Layer.PERSONA, Channel.P2C:
            raise Forbidden(
                f"'{speaker.id}' directs '{speaker.partner}' alone; address the directive to it"
            )
        case _:
            raise Forbidden(
                f"a {speaker.layer.value} does not speak in {message.channel.value}; use its own channel"
            )


def summarize(message: Message) -> str:
    """What a player hears of something in character. Of a character: its first plain sentences,
    without what it said aloud. Of the game master: how it begins and ends, with what people of the
    story said, for that is the answer."""
    if message.from_agent == DM:
        return _begins_and_ends(message.content)
    plain = " ".join(_QUOTED.sub(" ", message.content).split())
    first = sentences(plain)[:2]
    return shorten(" ".join(first), _SUMMARY) if first else UNHEARD


def _begins_and_ends(text: str) -> str:
    text = " ".join(text.split())
    if len(text) <= _TOLD_FIRST + _TOLD_LAST:
        return text
    said = sentences(text)
    head, tail = [said[0]], list[str]()
    for sentence in said[1:]:
        if len(" ".join(head)) + len(sentence) >= _TOLD_FIRST:
            break
        head.append(sentence)
    for sentence in reversed(said[len(head) :]):
        if len(" ".join(tail)) + len(sentence) >= _TOLD_LAST:
            break
        tail.insert(0, sentence)
    return " ".join([shorten(" ".join(head), _TOLD_FIRST), "…", *tail])


def _refusal(listener: Listener, channel: Channel) -> str:
    return f"a {listener.layer.value} does not hear {channel.value}; look as someone who does"


_PHASES = ("dm_narration", "ooc_discussion", "vote", "directives", "character_action", "dm_adjudication",
           "character_reaction")  # fmt: skip


def _order(message: Message) -> tuple[int, int]:
    """By round and phase: the same whatever is said where one cannot hear it. Within a list, order
    is kept."""
    known = message.phase in _PHASES
    return message.round, _PHASES.index(message.phase) if known else len(_PHASES)
