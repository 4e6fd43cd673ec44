"""Intent or outcome? Finds where a player's words tell what comes of an attempt, and cuts that out, keeping the attempt.

`I strike at the goblin` is an attempt. `I strike the goblin down` and `the goblin falls` are for the game master to say.
What is said aloud (in quotes) is never an outcome: people may boast. Nor is what someone hopes, fears or waits for.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from freeform.core.record import Record
from freeform.language.sentences import sentences

_QUOTED = re.compile(r"[\"“][^\"”]*(?:[\"”]|$)")
_CUT = re.compile(
    r"(\s*[;–—]\s*|\s*\.\.\.\s*|,?\s+(?:and then|and|then|but|so that|so|until|which|as|because|since|while|when|where"
    r"|before|after|if|unless|in case|though|leaving|sending|making|causing|forcing|knocking|killing|revealing"
    r"|dropping|dealing)\b\s*|,\s+)",
    re.I,
)
_HOPES = re.compile(
    r"\b(?:try|tries|trying|attempt\w*|want(?:s|ing)?|hop(?:e|es|ing)|aim(?:s|ing)?|plan\w*|mean(?:s|ing)? to|intend\w*"
    r"|prepar\w+|would like|'d like|get(?:s|ting)? ready|ready to|about to|wish\w*|need to|pretend\w*|wonder\w*|expect\w*"
    r"|wait\w*|see if|see whether|find out|make sure|order to|in case|threaten\w*|risk\w*|fear\w*|afraid|bet|way to)\b",
    re.I,
)
"""Frames that hold what follows, too: `hoping he falls and drops it`."""
_FRAMES = re.compile(
    _HOPES.pattern
    + r"|^(?:I|we)?\s*(?:\w+ly\s+)?(?:offer|ask|beg|tell|order|urge|invite|dare|challenge|watch|check|listen"
    r"|promise|suggest|propose|beckon|signal|motion|gesture|wave|help|let|say|shout|question)\w*\b|\blook(?:s|ing)? for\b",
    re.I,
)
_OPENERS = frozenset(
    "if unless before when while in\u00a0case because since where after though whether as".replace(
        "\u00a0", " "
    ).split()
)
_SURE = re.compile(
    r"\b(?:successfully|effortlessly|without (?:fail|any trouble|being (?:seen|noticed|heard))|unnoticed|unseen by any\w*"
    r"|flawlessly|perfectly|instantly)\b",
    re.I,
)
_MANAGE = re.compile(
    r"\b(?:manage[sd]?|succeed(?:s|ed)?(?= in| at)|am able|was able|were able)\s+(?:to|in|at)\s+",
    re.I,
)
_DICE = re.compile(
    r"\b(?:(?:natural|nat) ?20|critical(?:ly)? (?:hit|success)|crit\b|roll(?:s|ed)? (?:a|an) \d+|deal(?:s|t|ing)? \d+"
    r"|\d+ (?:points? of )?damage|take[sn]? no damage|it works|it worked|just like that)\b",
    re.I,
)
_SELF = r"(?:I|we|my (?:blow|blade|shot|arrow|spell|punch|kick|fist|bullet|knife|words?|plan|trick|bluff|lie))"
_WINS = (
    "kill killed|find found|discover discovered|learn learned|learn learnt|defeat defeated|convince convinced"
    "|persuade persuaded|slay slew|murder murdered|behead beheaded|decapitate decapitated|escape escaped|win won"
    "|overpower overpowered|subdue subdued|destroy destroyed|outsmart outsmarted|fool fooled|trick tricked|catch caught"
    "|hit hit|wound wounded|stun stunned|dodge dodged|steal stole|knock knocked|uncover uncovered|realise realised"
    "|realize realized|recover recovered|solve solved|break broke|vanquish vanquished|impale impaled|seduce seduced"
    "|charm charmed|spot spotted|notice noticed|get got|rescue rescued|save saved|free freed|disarm disarmed"
)
_PRESENT, _PAST = {}, {}
for _pair in _WINS.split("|"):
    _now, _then = _pair.split()
    _PRESENT[_now] = _now
    _PAST[_then] = _now
_WEAK = frozenset({"hit", "break", "catch", "charm", "trick", "free", "save", "steal", "dodge", "get", "spot", "notice",
                   "escape", "learn", "disarm", "stun", "rescue", "win", "knock"})  # fmt: skip
"""Verbs that only tell an outcome in the past, or with a result beside them: `I knock` may be at a door."""
_DID = frozenset(
    "picked opened unlocked climbed persuaded pushed grabbed took cut struck stabbed shot threw slipped snuck sneaked"
    " jumped landed cracked hacked disarmed sliced smashed crushed won".split()
)
_RESULT = re.compile(
    r"\b(?:down|dead|unconscious|senseless|to death|in (?:half|two)|through the heart|cold|off (?:his|her|their|its) feet"
    r"|to the (?:ground|floor)|to pieces|apart|into submission|clean off|free of \w+|out cold)\b",
    re.I,
)
_BLOWS = re.compile(
    r"\b(?:strike|strikes|cut|cuts|knock|knocks|shoot|shoots|beat|beats|hack|hacks|stab|stabs|slice|slices|smash|smashes"
    r"|blast|blasts|bring|brings|send|sends|throw|throws|put|puts|drop|drops|choke|chokes|tear|tears|rip|rips|cleave"
    r"|cleaves|run|runs|split|splits|lay|lays|burn|burns)\b",
    re.I,
)
_SAFE_OBJECTS = re.compile(
    r"\b(?:bag|pack|lantern|lamp|glass|cup|money|coin|coins|book|papers?|note|hand|hands|rope)\b",
    re.I,
)
_FALLS = "|".join((
    "falls?", "fell", "dies", "died", "collapses?d?", "crumples?d?", "drops?", "dropped", "opens", "opened",
    "gives?", "gave", "breaks", "broke", "shatters?", "shattered", "bursts?", "agrees", "agreed", "believes",
    "believed", "tells", "told", "hands", "handed", "flees", "fled", "surrenders?", "surrendered", "screams?",
    "screamed", "staggers?", "staggered", "recoils?", "recoiled", "reels?", "yields?", "yielded", "relents?",
    "relented", "admits", "admitted", "confesses", "confessed", "reveals", "revealed", "steps", "stepped",
    "lets", "bleeds", "explodes", "exploded", "crashes", "crashed", "slumps?", "slumped", "faints?", "fainted",
    "obeys", "obeyed", "clicks", "clicked", "swings", "swung", "caves", "backs", "backed", "vanishes",
    "vanished", "lies", "lands", "landed", "hits", "hit", "connects", "connected", "finds", "found", "kills",
    "killed", "goes", "went", "go (?:dead|dark|down|silent|out)", "never", "has no", "have no", "begins?",
    "starts?", "started", "sinks", "sank", "knows nothing", "pierces", "pierced", "strikes", "struck", "burns",
    "slides open", "cracks", "cracked", "nods", "nodded", "smiles", "smiled", "laughs", "laughed", "forgets",
    "forgot", "thanks", "thanked", "is dead", "are dead", "is mine", "are mine", "is open", "is unlocked",
    "works", "worked", "succeeds", "succeeded", "(?:does|do|did)(?:n't| not) (?:notice|see|hear|suspect)",
    "will (?:fall|die|open|never|break|believe|agree|tell)", "takes the bait", "buys it", "falls for it",
))  # fmt: skip
"""What others do when something came of it."""
_FALLS = f"(?:{_FALLS})"
_LANDED = re.compile(
    r"\bhit (?:him|her|it|them) (?:square|hard in|right)|catch (?:him|her|them) (?:off|by)|win\b"
    r"|stun (?:him|her|it|them|the)",
    re.I,
)
_OTHERS = re.compile(
    r"^(?:the|a|an|his|her|their|its|every|both|all|another|that|this)?\s*(?:[\w'’-]+\s+){0,3}?"
    + _FALLS
    + r"\b",
    re.I,
)
_THEY = re.compile(
    r"^(?:he|she|it|they|everyone|everybody|nobody|no one|all of them)\s+(?:\w+ly\s+)?"
    + _FALLS
    + r"\b",
    re.I,
)
_STATES = frozenset(
    "is are was were has had seems looks knows might may could should would can will wants keeps".split()
)
_VERB = re.compile(r"^[a-z]+(?:s|ed)$")


WAITS = "I wait and watch."


class OverreachFound(Record):
    """Where words overreach: the offending stretch, and which rule it breaks."""

    rule: str
    words: str


@dataclass(frozen=True)
class _Clause:
    """A stretch between connectors. `held`: it hangs on a hope, a wait or a condition."""

    lead: str
    text: str
    held: bool


def find_overreach(text: str, own: str = "", others: Sequence[str] = ()) -> list[OverreachFound]:
    """Everything in the words that tells an outcome, or acts for someone else. `own` may be named as `I`."""
    found: list[OverreachFound] = []
    for sentence in _told(text, own):
        for clause in _clauses(sentence):
            if why := _judge(clause, others):
                found.append(OverreachFound(rule=why, words=clause.text.strip()))
    return found


def repair(text: str, own: str = "", others: Sequence[str] = (), instead: str = WAITS) -> str:
    """The attempt without its outcome: result clauses are cut, won attempts become tries. Always passes the check.
    `instead` is what is attempted where nothing is left."""
    kept = []
    for sentence in _told(text, own):
        good: list[str] = []
        for clause in _clauses(sentence):
            why = _judge(clause, others)
            words = clause.text.strip()
            if why:
                words = _as_attempt(words)
                again = _Clause(clause.lead, words, clause.held or bool(_FRAMES.search(words)))
                if not words or _judge(again, others):
                    if not good:
                        continue
                    break
            if not good and clause.lead and not (words := _with_self(words)):
                continue
            good.append(f"{clause.lead if good else ''}{words}")
        if good and any(char.isalpha() for char in "".join(good)):
            kept.append(_closed("".join(good)))
    attempt = " ".join(kept)
    said = " ".join(quote.strip() for quote in _QUOTED.findall(text))
    whole = " ".join(part for part in (attempt or instead, said) if part)
    return whole if not find_overreach(whole, own, others) else WAITS


def _told(text: str, own: str) -> list[str]:
    """The sentences outside of quotes, with the character's own name as `I`."""
    plain = _QUOTED.sub(" ", text)
    for name in sorted(filter(None, {own, own.split()[0] if own else ""}), key=len, reverse=True):
        plain = re.sub(rf"\b{re.escape(name)}\b(?!['’]s)", "I", plain)
    return [s for s in sentences(" ".join(plain.split())) if s.strip()]


def _clauses(sentence: str) -> list[_Clause]:
    parts = _CUT.split(sentence)
    made: list[_Clause] = []
    held = False
    for at in range(0, len(parts), 2):
        lead, text = (parts[at - 1] if at else ""), parts[at]
        word = lead.strip(" ,;").lower()
        new_subject = bool(re.match(r"\s*(?:I|we|he|she|it|they|the|my|[A-Z]\w+)\b", text))
        if (
            word in _OPENERS
            or word in ("until", "in case")
            or (not at and text.split(" ")[0].lower() in _OPENERS)
        ):
            held = word != "until" or bool(_FRAMES.search("".join(p.text for p in made)))
        elif held and word in ("and", "", "or") and at and not new_subject:
            pass  # it goes on hoping
        elif word in ("so that", "so") and not re.match(
            r"\s*(?:I|we)?\s*(?:will|can|could|might|may)?\b.*\b(?:can|could|might|may|will)\b",
            text,
        ):
            held = False
        elif word in ("so that", "so"):
            held = True
        else:
            held = False
        made.append(_Clause(lead, text, held or bool(_FRAMES.search(text.strip()))))
        held = held or bool(_HOPES.search(text))
    return made


def _judge(clause: _Clause, others: Sequence[str]) -> str:
    """Which rule a clause breaks; '' when it is an attempt."""
    text, lead = clause.text.strip(), clause.lead.strip(" ,;").lower()
    if not text:
        return ""
    if _DICE.search(text):
        return "dice and damage are the game master's"
    if (
        _MANAGE.search(text)
        and not re.search(r"\b(?:if|hope|whether)\b", text, re.I)
        and not clause.held
    ):
        return "says that it succeeds"
    if clause.held:
        return ""
    if _SURE.search(text):
        return "says that it succeeds"
    if lead in (
        "leaving",
        "sending",
        "knocking",
        "killing",
        "revealing",
        "forcing",
        "dropping",
        "dealing",
    ):
        return "tells what comes of it"
    if lead in ("making", "causing") and not re.match(
        r"(?:a|my|sure|the|noise|for|as)\b", text, re.I
    ):
        return "tells what comes of it"
    if others and (name := _another(text, others)):
        return f"acts for {name}"
    words = re.findall(r"[\w'’]+", text)
    first = [w.lower() for w in words[:6]]
    if _wins(first, text):
        return "says that it succeeds"
    if (
        _BLOWS.search(" ".join(words[:4]))
        and _RESULT.search(text)
        and not _SAFE_OBJECTS.search(text)
    ):
        if not re.search(r"\b(?:at|towards?|for)\b", text, re.I):
            return "tells what comes of it"
    if not re.match(r"(?:I|we|my)\b", text, re.I) and (
        _THEY.match(text) or (_starts_other(text) and _OTHERS.match(text))
    ):
        return "tells what comes of it"
    if re.match(_SELF.replace("I|we|", "") + r"\s+(?:\w+ly\s+)?" + _FALLS + r"\b", text, re.I):
        return "tells what comes of it"
    return ""


def _wins(first: list[str], text: str) -> bool:
    """`I find the key`, `we killed it`, `I picked the lock`: won, where `I look for it` is tried."""
    at = 1 if first and first[0] in ("i", "we", "i've", "we've", "i'll", "we'll") else 0
    at += sum(
        1
        for word in first[at : at + 2]
        if word.endswith("ly") or word in ("have", "just", "then", "now", "quickly")
    )
    word = first[at] if at < len(first) else ""
    if word in _PAST and _PAST[word] != word:
        return bool(at) or word in ("killed", "found")
    if at and word in _DID:
        return word != "cut" or first[at - 1] == "have"
    if word in ("find", "finds") and re.search(
        r"\bfind (?:a (?:place|seat|spot|way|quiet|table|corner|chair)|my|somewhere|cover|out)\b",
        text,
        re.I,
    ):
        return False
    if word in _PRESENT and word not in _WEAK:
        return True
    if word in _WEAK and _RESULT.search(text):
        return word in ("knock", "hit", "break", "stun", "get")
    return word in ("hit", "stun", "catch", "win") and bool(_LANDED.search(text))


def _another(text: str, others: Sequence[str]) -> str:
    """Whoever else's deed a clause tells, by name."""
    for name in others:
        for known in {name, name.split()[0], name.split()[-1]} - {
            "The",
            "the",
            "Mr",
            "Doc",
            "Old",
            "Agent",
            "Nurse",
        }:
            if len(known) > 2 and (
                rest := re.match(rf"(?:the\s+)?{re.escape(known)}\s+(?:\w+ly\s+)?([\w'’]+)", text)
            ):
                verb = rest[1].lower()
                if verb not in _STATES and (
                    _VERB.match(verb) or verb in ("falls", "fell", "says", "said", "told")
                ):
                    return name
    return ""


def _starts_other(text: str) -> bool:
    """Whether someone or something else is the subject."""
    return bool(
        re.match(
            r"(?:the|a|an|his|her|their|its|every|both|all|another|that|this|[A-Z]\w+)\b", text
        )
    )


def _as_attempt(words: str) -> str:
    """`I manage to open it` and `I killed it` as tries; '' when nothing of it is the character's own doing."""
    tried = _SURE.sub("", words)
    tried = re.sub(r"\b(?:for|and) \d+ (?:points? of )?damage\b", "", tried, flags=re.I)
    tried = re.sub(
        r"^(?:I|we) roll(?:s|ed)? (?:a|an) \d+$",
        "",
        _DICE.sub("", tried) if "roll" not in tried else tried,
    )
    tried = re.sub(
        r"\b(?:manage[sd]?|am able|was able|were able)\s+to\s+", "try to ", tried, flags=re.I
    )
    tried = re.sub(r"\bsucceed(?:s|ed)?\s+(?:in|at)\s+(\w+?)ing\b", r"try \1ing", tried, flags=re.I)
    tried = " ".join(tried.split()).strip(" ,")
    if not re.match(r"(?:I|we)\b", tried, re.I):
        return tried if tried != words and tried and _starts_with_verb(tried) else ""
    match = re.match(
        r"(I|we)(?:'ve|'ll)?\s+((?:have|just|then|now|\w+ly)\s+)*([\w'’]+)(.*)", tried, re.I | re.S
    )
    if not match or match[3].lower() in ("try", "attempt"):
        return tried
    base = _PAST.get(match[3].lower(), _BASE.get(match[3].lower(), match[3].lower()))
    if tried != words and not find_overreach(tried):
        return tried
    return f"{match[1]} try to {base}{match[4]}"


def _with_self(words: str) -> str:
    """A clause that has lost the one before it gets its subject back; '' when its subject is someone else."""
    if re.match(r"(?:I|we)\b", words, re.I):
        return words
    return f"I {words}" if _starts_with_verb(words) else ""


def _starts_with_verb(text: str) -> bool:
    return not re.match(r"(?:the|a|an|his|her|their|its|he|she|it|they|everyone|[A-Z]\w+)\b", text)


def _closed(sentence: str) -> str:
    """A whole sentence again: no dangling connector, one full stop."""
    clean = re.sub(r"\s+([.,!?])", r"\1", " ".join(sentence.split())).strip(" ,;–—")
    clean = re.sub(r"[\s,]+(?:and|then|so|but|as|with|until|which)$", "", clean, flags=re.I).strip(
        " ,;"
    )
    return clean if clean.endswith((".", "!", "?")) else f"{clean}."


_BASE = {
    "picked": "pick", "opened": "open", "unlocked": "unlock", "climbed": "climb", "pushed": "push", "grabbed": "grab",
    "took": "take", "cut": "cut", "struck": "strike", "stabbed": "stab", "shot": "shoot", "threw": "throw",
    "slipped": "slip", "snuck": "sneak", "sneaked": "sneak", "jumped": "jump", "landed": "land", "cracked": "crack",
    "hacked": "hack", "sliced": "slice", "smashed": "smash", "crushed": "crush",
}  # fmt: skip
