"""Where acts are done: one goes to whom one speaks with elsewhere, and to the place a story is set
in though nobody says that they go there."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from freeform.engine.world.model import ProposedAction
from freeform.engine.world.names import words
from freeform.language.ear import HeardAct
from freeform.language.forms import is_over
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.interpreter.names import Mention
from freeform.offline.referee.families import LOOKS, SPEECH, best
from freeform.offline.referee.hear import HELD_BACK

_NOT_TO = frozenset({"before", "without", "from"})
_GOING = frozenset({"move", "follow", "flee"})
_WITH_SOMEONE = SPEECH | {"give", "show", "help", "heal"}
"""What one has to be with somebody for."""
_AT = frozenset({"in", "at", "inside"})
_TELLER = frozenset({"i", "we"})
_STOPS = frozenset(".!?")
_PLAINLY = 0.6
"""How sure the ear must be that a place is where something leads."""
_STAYS = SPEECH | LOOKS | {"move", "gm_question", "ooc", "plan_only", "none"}
"""Families of acts that lead nowhere, though they may name a way: `send Sam to the garage`."""


@dataclass
class Whereabouts:
    """Who and which places an input names, and where its acts stand."""

    whole: Hearing
    acts: Sequence[HeardAct]
    people: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Everybody there is a name for."""
        named = self.whole.cast.named
        self.people = frozenset(one.id for one in named if one.kind == "person")

    def settled(self, actions: list[ProposedAction]) -> list[ProposedAction]:
        """The acts, each done where it is told."""
        return self._said_there(self._led_there(self._going_there(self._gone_in(actions))))

    def to_the_one_named(self, action: ProposedAction, hearing: Hearing) -> ProposedAction:
        """Going nowhere in particular, with one person named who is elsewhere, is going to them:
        `go and find Wen`."""
        named = {
            mention.best("person").id
            for mention in hearing.mentions
            if not mention.owner and hearing.plain(mention.first - 1) not in _NOT_TO
        }
        away = [id for id in sorted(named) if self._is_away(id)]
        if action.action != "move" or action.target_id or action.details or len(away) != 1:
            return action
        return action.model_copy(update={"target_id": away[0]})

    def _said_there(self, actions: list[ProposedAction]) -> list[ProposedAction]:
        """Who has gone to someone speaks with them, not with who was here before: `go back to Cade
        and ask about the door`."""
        named = {mention.best("person").id for mention in self.whole.mentions}
        gone, whom, made = False, "", []
        for action in actions:
            if action.action == "move" and (action.target_id or action.details):
                gone = True
                whom = action.target_id if action.target_id in self.people else ""
            elif gone and action.action in SPEECH and action.target_id not in named:
                action = action.model_copy(update={"target_id": whom})
            made.append(action)
        return made

    def _gone_in(self, actions: list[ProposedAction]) -> list[ProposedAction]:
        """Who goes in, with no word of where, goes through what they have just seen to: `unlock the
        shed and go in`."""
        made, seen_to = list[ProposedAction](), ""
        for action in actions:
            bare = action.action == "move" and not action.target_id and not words(action.details)
            if bare and self._behind(seen_to):
                action = _gone_to(self._behind(seen_to))
            seen_to = action.target_id or seen_to
            made.append(action)
        return made

    def _behind(self, id: str) -> str:
        """Where a door leads, by what the ways out are called; '' for what is none."""
        called = {word for one in self.whole.cast.named if one.id == id for word in words(one.name)}
        ways = self.whole.packet.scene.get("exits") or []
        for way in ways:
            names = [str(way.get("name")), *map(str, way.get("aliases") or [])]
            if id == way.get("to") or (called and any(words(name) == called for name in names)):
                return str(way.get("to"))
        return ""

    def _going_there(self, actions: list[ProposedAction]) -> list[ProposedAction]:
        """Who goes and does something with someone elsewhere goes to them: `go back and tell
        Viktor`, `go talk to Ann`."""
        places = {named.id for named in self.whole.cast.named if named.way or named.kind == "place"}
        heard = any(best(act.families)[0] == "move" for act in self.acts)
        if not heard and not self._opens_going():
            return actions
        if any(one.action == "move" and one.target_id in places for one in actions):
            return actions
        for at, action in enumerate(actions):
            if action.action in _WITH_SOMEONE and self._is_away(action.target_id):
                others = [one for one in actions if one.action != "move"]
                before = [one for one in actions[:at] if one.action != "move"]
                return [*before, _gone_to(action.target_id), *others[len(before) :]]
        return actions

    def _opens_going(self) -> bool:
        """`go talk to Ann`: the first two verbs are a going and what it is for."""
        typed = self.whole.typed
        end = len(typed.tokens)
        first = 1 if self.whole.plain(0) in _TELLER else 0
        going = self.whole.verbs.at(typed, first, end)
        if going is None or going.action != "move":
            return False
        after = first + 1 + (self.whole.plain(first + 1) == "and")
        return self.whole.verbs.at(typed, after, end) is not None

    def _led_there(self, actions: list[ProposedAction]) -> list[ProposedAction]:
        """A story that is set elsewhere goes there: `In the smithy the heat came at me. I knelt`,
        `I carry the cup down to the deck and tell Hiro`. Who speaks with those here is here."""
        if any(one.action in _GOING and one.target_id for one in actions):
            return actions
        if all(one.family in _STAYS - SPEECH - LOOKS for one in actions):
            return actions
        with_someone = [one.target_id for one in actions if one.target_id in self.people]
        away = [id for id in with_someone if self._is_away(id)]
        here = len(away) < len(with_someone)
        place = "" if here else self._set_in() or self._told_of_before_going(actions)
        place = place or self._led_to(away)
        return [_gone_to(place), *actions] if place else actions

    def _set_in(self) -> str:
        """The place that a story begins by telling of, as it was: nothing is done yet."""
        mention = next(filter(self._is_elsewhere, self.whole.mentions), None)
        if mention is None or not self._is_told_of(mention):
            return ""
        end = self._end_of_sentence(mention)
        told = {self.whole.plain(at) for at in range(end)}
        goes_on = end + 1 < len(self.whole.typed.tokens)
        return mention.best("place").id if goes_on and not told & _TELLER else ""

    def _told_of_before_going(self, actions: Sequence[ProposedAction]) -> str:
        """The one place that was told of before somebody went: `The meadow would be flooded by now.
        I tied on my hat and went down to see`."""
        done = [act for act in self.acts if not _is_held_back(act)]
        going = [act.start for act in done if best(act.families)[0] == "move"]
        if not going or any(one.action in _GOING for one in actions):
            return ""
        tokens = self.whole.typed.tokens
        told_of = {
            mention.best("place").id
            for mention in self.whole.mentions
            if self._is_elsewhere(mention) and tokens[mention.first].start < going[0]
        }
        return told_of.pop() if len(told_of) == 1 else ""

    def _end_of_sentence(self, mention: Mention) -> int:
        tokens = self.whole.typed.tokens
        ends = (at for at in range(mention.last, len(tokens)) if tokens[at].plain in _STOPS)
        return next(ends, len(tokens))

    def _is_told_of(self, mention: Mention) -> bool:
        """`The Old Forge had its shutters closed`, `In the smithy the heat came at me`."""
        at = mention.first - 1
        while at >= 0 and self.whole.plain(at) in self.whole.words.determiners:
            at -= 1
        within = at >= 0 and self.whole.plain(at) in _AT
        at -= within
        if at >= 0 and self.whole.typed.tokens[at].kind == "word":
            return False
        following = self._sentence_after(mention)
        return any(map(is_over, following if within else following[:1]))

    def _sentence_after(self, mention: Mention) -> list[str]:
        following = []
        for token in self.whole.typed.tokens[mention.last :]:
            if token.kind != "word":
                break
            following.append(token.plain)
        return following

    def _led_to(self, away: Sequence[str]) -> str:
        """The place that the ear hears as where a going leads; or another deed, where one meets
        somebody who is elsewhere."""
        leading = [act for act in self.acts if not _is_held_back(act)]
        for act in leading:
            family, sure = best(act.families)
            goes = family == "move" and sure >= _PLAINLY
            place = self._destination(act) if goes or (away and family not in _STAYS) else ""
            if place:
                return place
        return ""

    def _destination(self, act: HeardAct) -> str:
        tokens = self.whole.typed.tokens
        spans = [s for s in act.spans if s.role == "destination" and s.sure >= _PLAINLY]
        for mention in self.whole.mentions:
            start = tokens[mention.first].start
            within = any(span.start <= start < span.end for span in spans)
            if within and self._is_elsewhere(mention):
                return mention.best("place").id
        return ""

    def _is_elsewhere(self, mention: Mention) -> bool:
        """Whether it calls a place elsewhere by its name; a hatch that leads there is here."""
        named = mention.best("place")
        place = named.way or named.kind == "place"
        elsewhere = named.id not in ("", self.whole.cast.here)
        said = self.whole.typed.between(mention.first, mention.last)
        by_name = bool(words(said) & words(named.name))
        return place and elsewhere and by_name and mention.is_plain and not mention.owner

    def _is_away(self, id: str) -> bool:
        named = self.whole.cast.named
        return any(one.id == id and one.kind == "person" and not one.near for one in named)


def _is_held_back(act: HeardAct) -> bool:
    """Whether it is not done now."""
    return max(act.flags[flag] for flag in ("negated", "conditional", "hypothetical")) >= HELD_BACK


def _gone_to(id: str) -> ProposedAction:
    return ProposedAction(action="move", family="move", target_id=id, confidence=1.0)
