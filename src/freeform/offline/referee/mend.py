"""What was heard, where it cannot be meant so: done to nothing known, or too dear for a guess."""

import re

from freeform.core.text import plain_form
from freeform.engine.world.model import ProposedAction
from freeform.engine.world.names import words
from freeform.engine.world.state import PLAYER
from freeform.language.ear import HeardAct
from freeform.language.meaning.natures import noun_kind
from freeform.language.words import telling_words, word_class
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.interpreter.names import Mention, Named
from freeform.offline.referee.addressee import called_to, described, head_of, listener
from freeform.offline.referee.build import minutes_waited
from freeform.offline.referee.families import SPEECH, best, needed
from freeform.offline.referee.link import words_said

_DONE_FREELY = frozenset({"use", "give", "drop", "open", "close", "break", "show"})
"""Done to something the scene does not know, these are free deeds: a coat, a glass, a song."""
_SHORT_WAY = 7
"""Words in which one names a way and nothing else: `north`, `go back to the prior's lodging`."""
_OFFERS = frozenset({"offer", "offers", "offered", "offering"})
_WITH = re.compile(r"(?:^|; )with (\S+)$")
"""How the rules write what is given or used."""
_LEFT = frozenset(
    {"drop", "drops", "dropped", "leave", "leaves", "left", "discard", "down", "away"}
)
_TO_WHOM = frozenset({"to", "with"})
_TELLERS = frozenset({"i", "we", "nobody", "no-one", "that"})
_GOING = frozenset({"move", "follow", "flee", "hide"})
_NAMED = 0.75
"""How surely words name a place by its own noun."""
_FAIR = 0.3
"""How sure one is at least of the only reading there is."""
_PLAIN_ITEM = 0.35
"""How sure the ear must be that a thing is what an act is about."""
_SURE_OF_A_BLOW = 0.5
"""How sure the ear must be of an attack that is done with nothing one could strike with."""
_SURELY_HID = 0.8
"""How sure the ear must be that one hides, where no word says it."""
_TO_SOMEONE = frozenset({"attack", "heal", "help", "give", "improvise"})
_PERSONAL = frozenset({"attack", "help_heal", "give"})
"""What is done to somebody, who has to be here for it."""
_SURE_OF_WHOM = 0.4
"""How sure the ear must be of whom a deed is done to."""
_OWNED = re.compile(r"['’]s?(?:\s|$)")
_SOMEBODYS = frozenset({"his", "her", "their", "its"})
_WORTH_ASKING = frozenset({"attack", "steal", "move", "give", "drop", "flee", "take"})
"""Where a wrong guess would be felt: loss, harm, another place."""


def mended(action: ProposedAction, act: HeardAct, hearing: Hearing) -> ProposedAction:
    """An action of the rules, done to what it can be done to."""
    whom = _done_to(action, act, hearing)
    if whom:
        return _to_another(action, whom, hearing)
    if hearing.authored:
        return action
    if action.action in SPEECH:
        return _said(action, act, hearing)
    whole = hearing.phrase(0, len(hearing.typed.tokens))
    if action.action not in _GOING and _is_of_its_name(action.target_id, hearing):
        action = action.model_copy(update={"target_id": ""})
    if action.action == "attack" and _is_a_charge(act, hearing):
        return action.model_copy(update={"action": "talk", "family": "talk", "details": whole})
    if action.action == "wait":
        return action.model_copy(update={"estimated_minutes": minutes_waited(hearing)})
    if action.action == "follow" and _kind(action.target_id, hearing) in ("thing", "detail"):
        return action.model_copy(update={"action": "improvise", "details": whole})
    if action.action in ("move", "follow"):
        return _gone(action, whole, hearing)
    if action.action == "hide" and (_puts_a_thing(act) or not _keeps_unseen(act, hearing)):
        return action.model_copy(update={"action": "improvise", "family": "use", "details": whole})
    return _done(action, act, whole, hearing)


def _done_to(action: ProposedAction, act: HeardAct, hearing: Hearing) -> str:
    """The words for whom a deed is done to, where the ear is sure of them and nobody and nothing
    goes by them that is here: `the prior`, `my sister`; '' where all is well."""
    heard = best(act.families)[0]
    if action.action not in _TO_SOMEONE or (heard not in _PERSONAL and action.action != "heal"):
        return ""
    spans = [span for span in act.spans if span.role == "target" and span.sure >= _SURE_OF_WHOM]
    if not spans:
        return ""
    begin, end = spans[0].start - act.start, spans[-1].end - act.start
    for ref in hearing.references(0, len(hearing.typed.tokens)):
        first, last = hearing.typed.tokens[ref.first], hearing.typed.tokens[ref.last - 1]
        here = ref.named is not None and (ref.named.near or ref.named.kind != "person")
        if here and first.start < end and begin < last.end:
            return ""
    whom, before = hearing.typed.text[begin:end], hearing.typed.text[:begin].split()
    if action.action == "give" and before[-1:] != ["to"]:
        return ""  # `get my mother to hand it over` gives her nothing
    if heard != "attack":
        whom = _OWNED.split(whom)[0]  # the arm that is bandaged is somebody's
    first_word, *others = whom.split()
    if any(word.endswith("est") for word in others[:-1]):
        return ""  # `the nearest patron` is any of those who are here
    sure = first_word[:1].isupper() or first_word.lower() in hearing.words.definite - _SOMEBODYS
    return whom if sure else ""


def _to_another(action: ProposedAction, whom: str, hearing: Hearing) -> ProposedAction:
    """A deed to whom no name here covers: the one here who looks so; somebody who is missing; or
    what such a place may have, a dog, a fire, and then it is a free deed. Nobody else stands in."""
    person = described(whom, hearing)
    if person is not None:
        return action.model_copy(update={"target_id": person.id})
    is_name = whom.split()[-1][:1].isupper()
    if is_name or noun_kind(head_of(whom, hearing)) == "person":
        return action.model_copy(update={"target_id": "", "deed": "", "called_to": whom})
    whole = hearing.phrase(0, len(hearing.typed.tokens))
    free = {"action": "improvise", "target_id": "", "details": whole}
    return action if hearing.authored else action.model_copy(update=free)


def _is_a_charge(act: HeardAct, hearing: Hearing) -> bool:
    """`I charge Dutch with theft`: what stands behind `with` is nothing one strikes with, and the
    ear hears no blow."""
    with_it = any(token.plain == "with" for token in hearing.typed.tokens)
    armed = any(span.role == "instrument" for span in act.spans)
    return with_it and not armed and act.families["attack"] < _SURE_OF_A_BLOW


def _is_no_taking(action: ProposedAction, act: HeardAct) -> bool:
    """`I draw my shawl tighter`, `I pull out two chairs`: one's own, or not heard as taking by the
    ear, and nothing here goes by that name. Nothing is missing."""
    return plain_form(action.details).startswith("my ") or best(act.families)[0] != "take"


def _keeps_unseen(act: HeardAct, hearing: Hearing) -> bool:
    """Whether the ear is sure of it, or the words say so themselves or what it is for; who crouches
    or takes a place by the wall need not."""
    said = {token.plain for token in hearing.typed.tokens}
    family, share = best(act.families)
    if family == "sneak_hide" and (share >= _SURELY_HID or "so" in said):
        return True
    return bool(said & word_class("unseen")) or _says(hearing, "hide")


def _puts_a_thing(act: HeardAct) -> bool:
    """`tuck the card in my pocket`: a thing is put somewhere; nobody keeps out of sight."""
    return any(span.role == "item" and span.sure >= _PLAIN_ITEM for span in act.spans)


def _done(action: ProposedAction, act: HeardAct, whole: str, hearing: Hearing) -> ProposedAction:
    """A deed with what it can be done with, and to whom."""
    spoken = {token.plain for token in hearing.typed.tokens}
    if _is_held(action.target_id, hearing):
        return _handled(action, spoken, whole)
    if action.action in ("give", "show"):
        action = _given(action, act, whole, hearing)
    if action.action in ("take", "steal"):
        return _taken(action, act, whole, hearing)
    kind = _kind(action.target_id, hearing)
    if action.action == "drop" or (action.action == "flee" and kind == "thing"):
        # `I put Obed on my back`, `I get out the tin`: nothing is left, nobody runs.
        person = action.target_id if kind == "person" else ""
        return action.model_copy(
            update={"action": "improvise", "target_id": person, "details": whole}
        )
    if action.action == "search" and not _is_near(action.target_id, hearing):
        return action.model_copy(update={"target_id": ""})  # one searches here for it
    if not action.target_id and not telling_words(action.details, "talk"):
        return action  # done to `it`, and there is no it: the rules ask
    if action.action == "open" and _is_way(action.target_id, hearing):
        return action
    free = kind in ("", "place") or _is_only_described(action.target_id, hearing)
    if action.action in _DONE_FREELY and free and not _is_offered(whole, hearing):
        return action.model_copy(update={"action": "improvise", "target_id": "", "details": whole})
    if action.action == "improvise" and not _is_near(action.target_id, hearing):
        return action.model_copy(update={"target_id": ""})
    return action


def _owner(details: str, hearing: Hearing) -> str:
    """Who is here and has what is spoken of by whose it is: `his pocket`."""
    whose = plain_form(details).split()[:1]
    owner = hearing.person(whose[0]) if whose and whose[0] in _SOMEBODYS else None
    return owner.id if owner is not None and owner.near else ""


def _taken(action: ProposedAction, act: HeardAct, whole: str, hearing: Hearing) -> ProposedAction:
    """What cannot be carried off is used; a shawl drawn tighter is a gesture; what is `his` is
    stolen from him."""
    if action.action == "steal":
        from_whom = action.target_id or _owner(action.details, hearing)
        return action.model_copy(update={"target_id": from_whom})
    if _is_fixed(action.target_id, hearing):
        return action.model_copy(update={"action": "use", "details": whole})
    if not action.target_id and _is_no_taking(action, act):
        gesture = {"action": "express", "family": "express", "details": whole}
        return action.model_copy(update=gesture)
    return action


def _given(action: ProposedAction, act: HeardAct, whole: str, hearing: Hearing) -> ProposedAction:
    """A gift; an offer in words, a pat with the sponge and water for the camel are none."""
    if action.action == "give" and _OFFERS & {token.plain for token in hearing.typed.tokens}:
        return action.model_copy(update={"action": "talk", "details": whole})
    if action.action == "give" and _is_done_with(hearing):
        return action.model_copy(update={"action": "improvise", "details": whole})
    if action.action == "give" and _says(hearing, "show") and not _says(hearing, "give"):
        return action.model_copy(update={"action": "show"})
    given = _WITH.search(action.details)
    in_words = sum(act.families[family] for family in SPEECH) > act.families["give"]
    if given is None and in_words and not _says(hearing, "give", "show"):
        # Rather words than a gift, of nothing one has: `bet Winifred a coin`.
        return action.model_copy(update={"action": "improvise", "details": whole})
    if given is None or _is_held(given[1], hearing):
        return action
    # What is named is who gets it, and is nobody's to give.
    return action.model_copy(
        update={"action": "improvise", "target_id": given[1], "details": whole}
    )


def _says(hearing: Hearing, *actions: str) -> bool:
    """Whether a verb of one of these actions is in the words."""
    end = len(hearing.typed.tokens)
    verbs = (hearing.verbs.at(hearing.typed, at, end) for at in range(end))
    return any(verb is not None and verb.action in actions for verb in verbs)


def _gone(action: ProposedAction, whole: str, hearing: Hearing) -> ProposedAction:
    """Going about here is a look round; going nowhere known is a way of moving, no way out."""
    if action.target_id == hearing.cast.here:
        return action.model_copy(update={"action": "look", "target_id": "", "details": ""})
    if action.action == "move" and _is_beside(action.target_id, hearing):
        nearer = {"action": "express", "family": "express", "details": whole}
        return action.model_copy(update=nearer)
    if action.action == "move" and _is_only_seen_from(action.target_id, hearing):
        return action.model_copy(update={"action": "express", "target_id": "", "details": whole})
    if not action.target_id and " away from " in f" {plain_form(whole)} ":
        stepping = {"action": "express", "family": "express", "details": whole}
        return action.model_copy(update=stepping)  # from her, from the fire: no way is named
    if action.target_id or len(hearing.typed.tokens) <= _SHORT_WAY:
        return action  # a way that is named and not there is refused, and told which ways are
    return action.model_copy(update={"action": "express", "details": whole})


def _is_of_its_name(id: str, hearing: Hearing) -> bool:
    """Whether only what stands before a place's own noun is said: the soup is no soup kitchen."""
    if _kind(id, hearing) != "place":
        return False
    weights = [w for m in hearing.mentions for one, w in m.means if one.id == id]
    return bool(weights) and max(weights) < _NAMED


def _is_only_seen_from(id: str, hearing: Hearing) -> bool:
    """`I take a spot by the wall where I can see the stairs`: no way, but what one is there for."""
    ends = [
        at
        for at in range(1, len(hearing.typed.tokens))
        if hearing.plain(at) in ("so", "where", "while") and hearing.plain(at + 1) in _TELLERS
    ]
    named = [one.first for one in hearing.mentions if id in _meant_by(one)]
    return bool(id and ends and named) and min(named) > ends[0]


def _meant_by(mention: Mention) -> set[str]:
    return {named.id for named, _ in mention.means}


def _handled(action: ProposedAction, spoken: set[str], whole: str) -> ProposedAction:
    """One's own thing is put or tucked somewhere: it is not lost and not hidden."""
    if action.action in ("take", "flee") or (action.action == "drop" and not spoken & _LEFT):
        return action.model_copy(update={"action": "improvise", "details": whole})
    if action.action == "hide":
        return action.model_copy(update={"action": "express", "details": whole})
    if action.action == "break":  # nobody stands in the way of breaking one's own bread
        return action.model_copy(update={"action": "improvise", "family": "use", "details": whole})
    return action


def _said(action: ProposedAction, act: HeardAct, hearing: Hearing) -> ProposedAction:
    """Words reach whoever listens, and all of them, where the whole act is words."""
    changes: dict[str, str] = {}
    whom = listener(act, hearing)
    if whom is not None:
        changes["target_id"] = whom.id
        if whom.kind != "person":
            changes["action"] = "talk"  # a thing is spoken to; it does not answer
    elif not _is_named(action.target_id, hearing):
        changes["target_id"] = ""
        changes["action"] = "talk"  # called out, to whoever may hear it
        changes["called_to"] = called_to(act, hearing)
    changes["details"] = _worded(action, act, hearing, whom)
    if _is_manner(changes.get("details", action.details), act, hearing):
        changes["details"] = ""
    return action.model_copy(update=changes)


def _worded(action: ProposedAction, act: HeardAct, hearing: Hearing, whom: Named | None) -> str:
    """What is said: the words that the ear takes for spoken; what they are about, where that holds
    what the rules heard, or they hold it; else what the rules heard."""
    marked = words_said(act, hearing)
    if whom is None and hearing.stranger[:1].isupper():
        return action.details
    if any(span.role == "speech" for span in act.spans) and marked:
        return marked
    details = action.details
    if whom is not None or not hearing.stranger[:1].isupper():
        details = details.removeprefix(f"{hearing.stranger}; ")
    heard, said = words(details), words(marked)
    is_tool = _WITH.search(details) is not None
    return marked if marked and not is_tool and (heard < said or said < heard) else details


def _is_manner(details: str, act: HeardAct, hearing: Hearing) -> bool:
    """`talk to Marit first`: one word after whom one speaks with, that the ear takes neither for
    words said nor for what they are about."""
    begin = hearing.typed.text.rfind(details) if len(details.split()) == 1 else -1
    spans = [span for span in act.spans if span.role in ("speech", "topic")]
    if begin < 0 or any(span.start <= act.start + begin < span.end for span in spans):
        return False
    behind = [
        mention for mention in hearing.mentions if hearing.plain(mention.first - 1) in _TO_WHOM
    ]
    tokens = hearing.typed.tokens
    return any(tokens[mention.last - 1].end <= begin for mention in behind)


def _is_named(id: str, hearing: Hearing) -> bool:
    """Whether the words themselves name it."""
    return any(id and mention.best("person").id == id for mention in hearing.mentions)


def cheaper(action: ProposedAction, other: ProposedAction | None) -> ProposedAction | None:
    """What may be done on a guess in its place; None where one has to ask."""
    if action.action in SPEECH:
        return action.model_copy(update={"action": "talk", "family": "talk"})
    if other is not None and other.confidence >= needed(other.action):
        return other
    if action.action in _WORTH_ASKING:
        return None if other is not None or action.confidence < _FAIR else action
    return action.model_copy(update={"action": "express", "family": "express"})


def _is_done_with(hearing: Hearing) -> bool:
    """`give Kit a pat with the sponge`: a thing of one's own that something is given with."""
    for mention in hearing.mentions:
        before = [hearing.plain(at) for at in range(max(mention.first - 4, 0), mention.first)]
        if _is_held(mention.best("thing").id, hearing) and "with" in before:
            return True
    return False


def _is_offered(text: str, hearing: Hearing) -> bool:
    """Whether a deed was written for what the words speak of, though it is no thing of its own."""
    said = words(text)
    for offer in hearing.offers:
        if offer.action in _DONE_FREELY and any(words(phrase) & said for phrase in offer.words):
            return True
    return False


def _is_only_described(id: str, hearing: Hearing) -> bool:
    """Whether someone who is elsewhere is not called by name here: `like a cat`, `for the crew`,
    `Roque's name`. Nothing is done to them."""
    for mention in hearing.mentions:
        named = mention.best("person")
        if named.id != id or mention.owner:
            continue
        said = hearing.typed.between(mention.first, mention.last)
        if words(said) & words(named.name):
            return False
    return _kind(id, hearing) == "person" and not _is_near(id, hearing)


def _is_held(id: str, hearing: Hearing) -> bool:
    rows = hearing.packet.inventory
    return any(row.get("item_id") == id and row.get("owner_id") == PLAYER for row in rows)


def _is_fixed(id: str, hearing: Hearing) -> bool:
    """Whether it cannot be carried off: who takes hold of it does something with it."""
    things = [thing for thing in hearing.packet.entities if id and thing.get("id") == id]
    return any(thing.get("attrs", {}).get("portable") is False for thing in things)


def _kind(id: str, hearing: Hearing) -> str:
    return next((named.kind for named in hearing.cast.named if id and named.id == id), "")


def _is_way(id: str, hearing: Hearing) -> bool:
    return any(named.way for named in hearing.cast.named if id and named.id == id)


def _is_near(id: str, hearing: Hearing) -> bool:
    return any(named.near or named.way for named in hearing.cast.named if named.id == id)


def _is_beside(id: str, hearing: Hearing) -> bool:
    """Whether it is a person who is here: one only steps nearer."""
    return _kind(id, hearing) == "person" and _is_near(id, hearing)
