"""What people say: in their manner, of the secrets, of one another, of the talk of the place."""

from collections.abc import Iterator
from typing import Any

from freeform.forge.cast.figures import Figure
from freeform.forge.cast.voices import voice_shelf
from freeform.forge.clues.plot import CHOICE, DOOR, MAIN, Plot
from freeform.forge.grammar import capital, spoken
from freeform.forge.shapes.model import ShapeFact, ShapeSaying
from freeform.language.inflection import lemma
from freeform.language.words import telling_words

_KNOWN_OF_OTHERS = 3
_SHORT = 3
"""Words of so many letters are nothing to ask after."""
_TRUSTED = 2
_FIRST_MOVE, _NEXT_MOVE = 45, 20
"""Minutes of play after which people first act on what they want, and between one and the next."""
_OF_PRINCIPALS = ("wary", "owing", "plain")
"""What those in the story say of one another takes no side that the story might gainsay."""
_OF_BYSTANDERS = ("warm", "envious", "plain")


class Talk:
    """The people of a plot, as a scenario has them."""

    def __init__(self, plot: Plot) -> None:
        self._plot = plot
        self._views = self._shuffled_views(_OF_PRINCIPALS)
        self._idle_views = self._shuffled_views(_OF_BYSTANDERS)
        self._matters = {
            kind: plot.chance.at("matters", kind).shuffled(lines)
            for kind, lines in voice_shelf().matters.items()
        }
        shelf = voice_shelf()
        self._selves = plot.chance.at("selves").shuffled(shelf.selves)
        self._known = plot.chance.at("known").shuffled(shelf.known)
        self._friendly = plot.chance.at("friendly").shuffled(shelf.friendly)
        self._known_selves = plot.chance.at("known").shuffled(shelf.known_selves)

    def people(self) -> dict[str, dict[str, Any]]:
        """Everyone who can be met, by id."""
        present = [figure for figure in self._plot.figures.values() if not figure.absent]
        return {figure.id: self._person(figure) for figure in present}

    def _person(self, figure: Figure) -> dict[str, Any]:
        voice, own, names = figure.voice, self._own(figure), self._plot.grammar.names
        knows = [
            *self._briefed(figure),
            *self._told(figure),
            *self._of_the_cause(figure),
            *self._of_the_chorus(figure),
            *self._of_the_adviser(figure),
        ]
        knows += [*self._of_matters(figure), *self._of_places(figure)]
        knows += [*self._of_others(figure), self._of_oneself(figure)]
        knows += self._of_the_premise(figure, knows)
        return {
            "greeting": [*figure.greeting] or own(self._greeting(figure)),
            "idle": own(voice.idle),
            "shrugs": own(voice.shrugs),
            "farewell": own(voice.farewell),
            "agenda": capital(self._plot.grammar.phrase(figure.want)) or "To be left in peace.",
            "disposition": figure.disposition or voice.disposition,
            "capabilities": f"What one learns as {names[f'{figure.role}.a_trade']}.",
            "escalation": "cautious",
            "knows": knows,
            "withholds": [*self._kept(figure)],
            "heart": self._heart(figure),
            **self._moves(figure),
        }

    def _heart(self, figure: Figure) -> dict[str, list[str]]:
        """What they say of themselves, in their manner; as the story has it first. What they are
        after nobody says: it would answer the question."""
        role = self._plot.shape.roles.get(figure.role)
        want = self._plot.grammar.phrase(role.says_want).rstrip(".") if role else ""
        names = figure.names()
        words = {"n": figure.short, "want": want, "Want": capital(want)}
        words |= {key: names[f"{figure.role}.{key}"] for key in ("he", "He", "him", "his")}
        tell = self._plot.grammar.also(words).each
        own = role.heart if role else {}
        manner = figure.voice.heart | ({"want": figure.voice.wants} if want else {})
        return {
            kind: tell([*own.get(kind, []), *manner.get(kind, [])])
            for kind in dict.fromkeys([*manner, *own])
        }

    def _greeting(self, figure: Figure) -> list[str]:
        """In their manner; whoever is the player's own knows them, and so does whoever has just
        told them about it."""
        has_spoken = figure.at == "hub" and figure.role in self._plot.shape.roles
        if has_spoken and self._plot.shape.roles[figure.role].greets:
            return self._plot.shape.roles[figure.role].greets
        if not figure.is_yours and not has_spoken:
            return figure.voice.greeting
        shelf = self._known if figure.is_yours else self._friendly
        lines = [shelf.pop(0), shelf.pop(0)]
        shelf += lines
        return lines

    def _moves(self, figure: Figure) -> dict[str, Any]:
        """Whoever has a stake and is elsewhere comes to the place of the opening to hear what was
        asked; {} for the others."""
        principals = [f for f in self._plot.figures.values() if f.role in self._plot.shape.roles]
        hub = self._plot.sites["hub"]
        if figure not in principals or figure.absent or figure.at == "hub" or not figure.want:
            return {}
        told = self._plot.line("came_by").replace("{who}", figure.short)
        after = _FIRST_MOVE + _NEXT_MOVE * principals.index(figure)
        move = {"id": f"m_{figure.role}", "after": after, "at": hub.id}
        return {"moves": [{**move, "does": self._plot.grammar.tell(told)}]}

    def _own(self, figure: Figure) -> Any:
        names = figure.names()
        words = {"n": figure.short, "He": names[f"{figure.role}.He"]}
        words |= {key: names[f"{figure.role}.{key}"] for key in ("he", "him", "his")}
        return self._plot.grammar.also(words).each

    def _said(self, figure: Figure, words: str, at: int) -> str:
        tags = self._own(figure)(figure.voice.tags)
        tag = tags[at % len(tags)]
        tag = tag if tag.startswith(figure.short) else tag[:1].lower() + tag[1:]
        return spoken(self._plot.grammar.tell(words), tag)

    def _briefed(self, figure: Figure) -> Iterator[dict[str, Any]]:
        """What the evening is about, from who is there to say it."""
        briefing = self._plot.shape.briefing
        if briefing and briefing.who == figure.role:
            said = [self._said(figure, words, n) for n, words in enumerate(briefing.says)]
            topics = self._plot.grammar.each(briefing.topics)
            yield {"id": "k_briefing", "topics": [t.lower() for t in topics], "says": said}

    def _told(self, figure: Figure) -> Iterator[dict[str, Any]]:
        for fact in self._plot.truth.facts:
            if fact.tell and fact.tell.who == figure.role:
                yield self._knowledge(figure, fact, fact.tell, "k")

    def _of_the_cause(self, figure: Figure) -> Iterator[dict[str, Any]]:
        """What somebody in the story has to say of the premise's own thing in it."""
        for role, wanted in self._plot.shape.things.items():
            prop = self._plot.props.get(role)
            says = wanted.says if wanted.who == figure.role else []
            says = [wanted.views[figure.role]] if figure.role in wanted.views else says
            if prop is None or not says:
                continue
            yield {
                "id": f"k_own_{role}_{figure.role}",
                "topics": [prop.name.lower().removeprefix("the "), *prop.aliases],
                "says": [self._said(figure, words, n) for n, words in enumerate(says)],
                "view": True,
            }

    def _kept(self, figure: Figure) -> Iterator[dict[str, Any]]:
        for fact in self._plot.truth.facts:
            if fact.keep and fact.keep.who == figure.role:
                row = self._knowledge(figure, fact, fact.keep, "w")
                deflects = fact.keep.deflects
                row["deflects"] = [self._said(figure, w, n) for n, w in enumerate(deflects)]
                row["yields_when"] = [{"any": self._leverage(figure, fact.keep)}]
                if self._plot.before(fact):
                    row["yields_to"] = []  # No words alone bring out what answers the question.
                yield row

    def _leverage(self, figure: Figure, saying: ShapeSaying) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = [{"trust": {"who": figure.id, "at_least": _TRUSTED}}]
        if saying.lever:
            found.insert(0, {"known": self._plot.fact_id(saying.lever)})
        if "token" in self._plot.props:
            found.insert(1, {"has": self._plot.props["token"].id})
        return found

    def _knowledge(
        self, figure: Figure, fact: ShapeFact, saying: ShapeSaying, kind: str
    ) -> dict[str, Any]:
        effects: list[dict[str, Any]] = []
        if fact.core:
            effects = [{"thread": [MAIN, "resolved"]}, {"thread": [CHOICE, "active"]}]
        about = self._plot.figures.get(fact.about)
        topics = [self._plot.grammar.phrase(topic) for topic in saying.topics]
        if about and about is not figure:
            topics += self._names_of(about)
        return {
            "id": f"{kind}_{fact.id}_{figure.role}",
            "topics": list(dict.fromkeys([*topics, *map(lemma, topics)])),
            "says": [self._said(figure, words, n) for n, words in enumerate(saying.says)],
            "reveals": [self._plot.fact_id(fact.id)],
            "effects": effects,
        }

    def _names_of(self, figure: Figure) -> list[str]:
        return [figure.short.lower(), figure.name.lower()]

    def _of_the_chorus(self, figure: Figure) -> Iterator[dict[str, Any]]:
        """The local says where everybody is, and how one comes to the far place."""
        if figure.role != "chorus":
            return
        plot = self._plot
        placed = [f for f in plot.figures.values() if not f.absent and f.at not in ("hub", "deep")]
        where = [f"{f.short} is at {plot.sites[f.at].names()[f.at]}" for f in placed]
        listed = f"{', '.join(where[:-1])}, and {where[-1]}" if len(where) > 1 else where[0]
        words = plot.line("whereabouts").replace("{where}", listed)
        yield {
            "id": "k_where_chorus",
            "topics": ["people", "where everybody is", "everybody", "everyone", "news"],
            "says": [self._said(figure, words, 0)],
        }
        deep = plot.sites["deep"]
        bare = deep.name.lower().removeprefix("the ")
        words = plot.line("knack")
        yield {
            "id": "k_way_chorus",
            "topics": [bare, *deep.aliases, f"the way into {bare}"],
            "says": [self._said(figure, words, 1)],
            "effects": [
                {
                    "set": {
                        "subject": deep.id,
                        "predicate": DOOR,
                        "value": "open",
                        "text": plot.grammar.tell("You know how one gets into {deep}."),
                    }
                }
            ],
        }

    def _of_the_adviser(self, figure: Figure) -> Iterator[dict[str, Any]]:
        advice = self._plot.shape.advice
        if not advice.startswith(f"{{{figure.role}."):
            return
        yield {
            "id": f"k_advice_{figure.role}",
            "topics": ["advice", "what to do", "what now", "choice", "help"],
            "says": [self._plot.grammar.tell(advice)],
            "when": [{"known": self._plot.fact_id(self._plot.core.id)}],
        }

    def _of_matters(self, figure: Figure) -> Iterator[dict[str, Any]]:
        """What everybody talks about: each matter is known to two people, in other words; what the
        story turns on, to everybody in it."""
        speakers = [f for f in self._plot.figures.values() if not f.absent]
        at, things = speakers.index(figure), self._plot.shape.things
        for number, prop in enumerate(self._plot.props.values()):
            own = things.get(prop.role)
            is_known = at in (number % len(speakers), (number + 1) % len(speakers))
            is_known |= own is not None and figure.role in self._plot.shape.roles
            has_own = own is not None and figure.role in (own.who, *own.views)
            if prop.hidden or not is_known or has_own:
                continue
            lines = self._matters["matter" if prop.matter else "thing"]
            if not lines:
                continue
            line = lines.pop(0)
            names = prop.names()
            words = line.replace("{The}", names[f"{prop.role}.The"]).replace(
                "{the}", names[prop.role]
            )
            yield {
                "id": f"k_{prop.role}_{figure.role}",
                "topics": [prop.name.lower().removeprefix("the "), *prop.aliases],
                "says": [self._said(figure, words, number)],
                "view": True,
            }

    def _of_places(self, figure: Figure) -> Iterator[dict[str, Any]]:
        """What somebody says of the places that the premise names, unless it names them too."""
        if figure.source.startswith("premise"):
            return
        for number, site in enumerate(self._plot.sites.values()):
            if not site.is_named:
                continue
            lines = self._matters["place"]
            if not lines:
                return
            names = site.names()
            told = {"the": names[site.role], "The": names[f"{site.role}.The"]}
            told["in_it"] = names[f"{site.role}.in"]
            line = self._plot.grammar.also(told).tell(lines.pop(0))
            yield {
                "id": f"k_{site.role}_{figure.role}",
                "topics": [site.name.lower().removeprefix("the "), *site.aliases],
                "says": [self._said(figure, line, number)],
                "view": True,
            }

    def _of_the_premise(
        self, figure: Figure, known: list[dict[str, Any]]
    ) -> Iterator[dict[str, Any]]:
        """What everybody has heard, for whoever asks after a word of the premise that nobody here
        knows more of; and who does."""
        plot = self._plot
        met = [f for f in plot.figures.values() if not f.absent and f.at != "deep"]
        others = [f for f in met if f.role in plot.shape.roles and f is not figure]
        covered: set[str] = set()
        for row in known:
            covered.update(row["topics"])
        words = dict.fromkeys(telling_words(plot.premise.text))
        topics = [word for word in words if word not in covered and len(word) > _SHORT]
        if not topics or not others:
            return
        at = list(plot.figures).index(figure.role)
        other = others[at % len(others)]
        names = other.names()
        named = {"o": other.short, "o_at": plot.grammar.names[f"{other.at}.in"]}
        named |= {f"o.{key}": names[f"{other.role}.{key}"] for key in ("he", "him")}
        is_told_of = figure.source.startswith("premise")
        lines = self._matters["premise_own" if is_told_of else "premise"]
        if not lines:
            return
        line = lines.pop(0)
        said = spoken(plot.grammar.also(named).tell(line), self._tag(figure, at))
        row = {"id": f"k_premise_{figure.role}", "topics": topics, "says": [said]}
        yield {**row, "view": True}

    def _of_others(self, figure: Figure) -> Iterator[dict[str, Any]]:
        others = [f for f in self._plot.figures.values() if f is not figure]
        known = self._plot.chance.at("knows", figure.role).shuffled(others)
        known = sorted(known, key=lambda other: not other.is_yours)[:_KNOWN_OF_OTHERS]
        for number, other in enumerate(known):
            if other.absent or other.is_yours:
                kind = "gone" if other.absent else ""
                shelf = self._matters["_".join(filter(None, (kind, "yours" * other.is_yours)))]
                if not shelf:
                    continue
                words = shelf.pop(0)
            else:
                principal = figure.role in self._plot.shape.roles
                lines = self._views if principal else self._idle_views
                if not lines:
                    continue  # nobody says of another what somebody else has said
                words = lines.pop(0)
            named = {"o": other.short}
            names = other.names()
            named |= {f"o.{k}": names[f"{other.role}.{k}"] for k in ("he", "him", "his", "Trade")}
            yield {
                "id": f"k_{other.role}_{figure.role}",
                "topics": [*self._names_of(other), *other.aliases],
                "says": [
                    spoken(self._plot.grammar.also(named).tell(words), self._tag(figure, number))
                ],
                "view": True,
            }

    def _tag(self, figure: Figure, at: int) -> str:
        tags = self._own(figure)(figure.voice.tags)
        tag: str = tags[at % len(tags)]
        return tag if tag.startswith(figure.short) else tag[:1].lower() + tag[1:]

    def _of_oneself(self, figure: Figure) -> dict[str, Any]:
        lines = self._known_selves if figure.is_yours else self._selves
        line = lines.pop(0)
        lines.append(line)
        trade = self._plot.grammar.names[f"{figure.role}.a_trade"]
        words = line.replace("{a_trade}", trade).replace("{A_trade}", capital(trade))
        return {
            "id": f"k_self_{figure.role}",
            "topics": ["yourself", "your work", "work", "trade", "living", figure.trade.lower()],
            "says": [self._said(figure, words, 0)],
            "effects": [{"trust": {"who": figure.id, "delta": 1}}],
        }

    def _shuffled_views(self, kinds: tuple[str, ...]) -> list[str]:
        lines: list[str] = []
        for kind in kinds:
            lines += voice_shelf().views[kind]
        return self._plot.chance.at("views").shuffled(lines)
