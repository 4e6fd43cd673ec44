"""Scenarios in the older form, which other authors still write: read as ours.

The older form has one hero among its entities, places without ways between them, knowledge as words
in an entity's attrs, facts as plain values, and its own rules for clocks.
"""

from collections.abc import Iterator
from typing import Any

from freeform.core.text import slug

Data = dict[str, Any]
_OLDER = ("starting_scene", "opening_text", "default_system")
_LEFT_OUT = {
    "estimated_length": "how long it takes is not kept",
    "genre_rules": "genre rules are not kept, but for their tone; put the rest into a pack",
    "system": "rules of its own are not taken; it is played by the table's system",
    "default_system": "it is played by 'pbta'; set `system` for another",
}
_LETHALITY = {"moderate": "medium", "deadly": "high", "brutal": "high", "cinematic": "low"}
_FAILURE = {"forgiving": "gentle", "punishing": "harsh"}
_HIDDEN = frozenset({"world", "secret", "gm", "hidden"})
_CARRIED = frozenset({"equipped", "currency", "carried", "inventory"})


def is_older(data: Data) -> bool:
    """Whether a scenario's data is in the older form."""
    return any(key in data for key in _OLDER) or isinstance(data.get("system"), dict)


def in_our_form(data: Data) -> tuple[Data, list[str]]:
    """The same as our form has it, and a sentence for each thing that was left out."""
    return _Reading(data).made()


class _Reading:
    """One scenario in the older form."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self.left = [reason for key, reason in _LEFT_OUT.items() if key in data]
        self.entities = [row for row in _rows(data, "entities") if row.get("id")]
        self.hero = next((e for e in self.entities if e.get("type") == "pc"), {})
        self.places = {str(e["id"]): e for e in self.entities if e.get("type") == "location"}
        scene = data.get("starting_scene")
        self.scene: Data = scene if isinstance(scene, dict) else {}
        self.start = str(self.scene.get("location_id") or next(iter(self.places), ""))

    def made(self) -> tuple[Data, list[str]]:
        """Everything, table by table."""
        data = self.data
        genre_rules = data.get("genre_rules")
        people = {str(e["id"]): _person(e) for e in self.entities if e.get("type") == "npc"}
        facts = list(self._facts())
        finds = list(self._ways_to_secrets(facts, people))
        made: Data = {
            "id": slug(str(data.get("id") or data.get("name") or "story")),
            "name": str(data.get("name") or data.get("id")),
            "genre": str(data.get("genre") or "any"),
            "description": str(data.get("description") or ""),
            "system": data["system"] if isinstance(data.get("system"), str) else "pbta",
            "packs": data.get("packs", []),
            "calibration": _calibration(_mapping(data, "calibration"), genre_rules),
            "opening": str(data.get("opening_text") or data.get("opening") or ""),
            "start": self._start(),
            "heroes": [self._hero()],
            "entities": [_entity(e) for e in self.entities if e is not self.hero],
            "facts": facts,
            "threads": _rows(data, "threads"),
            "clocks": list(self._clocks()),
            "relationships": [_tie(row) for row in _rows(data, "relationships")],
            "inventory": _rows(data, "inventory"),
            "places": {id: self._place(id, e) for id, e in self.places.items()},
            "people": people,
            "discoverables": finds,
            "cost_clocks": self._cost_clocks(),
        }
        return made, self.left

    def _start(self) -> Data:
        """Where play begins, and at what hour if that is told."""
        hour = _mapping(self.scene, "time").get("hour")
        if isinstance(hour, int) and 0 <= hour < 24:
            return {"location": self.start, "minute": hour * 60}
        return {"location": self.start}

    def _hero(self) -> Data:
        attrs = _mapping(self.hero, "attrs")
        items = [str(e["id"]) for e in self.entities if _CARRIED & set(map(str, _list(e, "tags")))]
        return {
            "id": slug(str(self.hero.get("name") or "hero")),
            "name": str(self.hero.get("name") or "You"),
            "concept": str(attrs.get("background") or attrs.get("description") or "a stranger"),
            "items": items,
        }

    def _facts(self) -> Iterator[Data]:
        """The facts; and where people are, as the scene or their own attrs say."""
        placed: set[str] = set()
        for row in _rows(self.data, "facts"):
            fact = _fact(row)
            if fact["predicate"] == "at":
                placed.add(fact["subject_id"])
            yield fact
        present = set(map(str, _list(self.scene, "present_entity_ids")))
        for entity in self.entities:
            id = str(entity["id"])
            if entity.get("type") != "npc" or id in placed:
                continue
            where = self.start if id in present else self._place_named(entity)
            where = where or next((p for p in self.places if p != self.start), self.start)
            yield {
                "id": f"f_at_{slug(id)}",
                "subject_id": id,
                "predicate": "at",
                "object": {"value": where},
                "visibility": "engine",
            }

    def _place_named(self, entity: Data) -> str:
        """The place that an entity's attrs name, by id or by name."""
        named = str(_mapping(entity, "attrs").get("location") or "").casefold()
        for id, place in self.places.items():
            if named and named in (id.casefold(), str(place.get("name")).casefold()):
                return id
        return ""

    def _place(self, id: str, entity: Data) -> Data:
        """A place: every other one can be walked to, since the older form knows no ways."""
        attrs = _mapping(entity, "attrs")
        features = [str(feature) for feature in _list(attrs, "features")]
        mood = attrs.get("atmosphere")
        return {
            "description": str(attrs.get("description") or entity.get("name")),
            "atmosphere": [str(mood)] if mood else [],
            "exits": [{"to": other} for other in self.places if other != id],
            "details": [
                {"name": each, "text": f"{each[:1].upper()}{each[1:]}."} for each in features
            ],
        }

    def _clocks(self) -> Iterator[Data]:
        for row in _rows(self.data, "clocks"):
            triggers: Data = {}
            for at, what in _mapping(row, "triggers").items():
                if str(at).isdigit() and int(at) > 0:
                    triggers[str(at)] = what if isinstance(what, dict) else {"text": str(what)}
                else:
                    self.left.append(f"the clock '{row.get('id')}' has no trigger at {at} with us")
            yield {**row, "triggers": triggers}

    def _cost_clocks(self) -> Data:
        """Costs go to clocks of their name, but not to those that count down."""
        rules = _mapping(_mapping(self.data, "system"), "clock_rules")
        falling = {id for id, way in _mapping(rules, "direction").items() if way == "decrement"}
        ids = {str(row.get("id")) for row in _rows(self.data, "clocks")}
        for id in sorted(ids & falling):
            self.left.append(f"the clock '{id}' counts down; ours count up, so no cost goes to it")
        return {cost: cost for cost in ("heat", "harm", "time", "rep") if cost in ids - falling}

    def _ways_to_secrets(self, facts: list[Data], people: Data) -> Iterator[Data]:
        """Each secret is kept back by the one it is about, and can be found where it is."""
        homes = {f["subject_id"]: f["object"]["value"] for f in facts if f["predicate"] == "at"}
        for fact in facts:
            if fact["visibility"] != "hidden":
                continue
            subject, text = fact["subject_id"], fact["object"]["text"]
            name = self._name(subject)
            topics = [name, fact["predicate"].replace("_", " ")]
            if subject in people:
                people[subject]["withholds"].append(
                    {
                        "id": f"kept_{slug(fact['id'])}",
                        "topics": topics,
                        "says": [f'"{text}"'],
                        "deflects": [f"{name} looks past you and says nothing."],
                        "reveals": [fact["id"]],
                    }
                )
            there = homes.get(subject, subject if subject in self.places else self.start)
            yield {
                "id": f"find_{slug(fact['id'])}",
                "at": there,
                "trigger": f"looking for what {name} hides",
                "words": [*topics, "trace", "clue"],
                "content": [text],
                "effects": [{"reveal": fact["id"]}],
            }

    def _name(self, id: str) -> str:
        found = next((e for e in self.entities if e["id"] == id), {})
        return str(found.get("name") or id)


def _entity(entity: Data) -> Data:
    attrs = {key: value for key, value in _mapping(entity, "attrs").items() if key != "location"}
    return {
        "id": str(entity["id"]),
        "type": str(entity.get("type") or "item"),
        "name": str(entity.get("name") or entity["id"]),
        "attrs": attrs,
        "tags": [str(tag) for tag in _list(entity, "tags")],
    }


def _person(entity: Data) -> Data:
    attrs, name = _mapping(entity, "attrs"), str(entity.get("name") or entity["id"])
    knows = [
        {
            "id": f"knows_{number}",
            "topics": [str(what), f"{name} {what}"],
            "says": [f"{name} thinks about it, and tells you something of {what}."],
        }
        for number, what in enumerate(_list(attrs, "knowledge"), 1)
    ]
    return {
        "greeting": [f"{name} looks up at you."],
        "shrugs": [f"{name} has nothing to say to that."],
        "agenda": str(attrs.get("agenda") or ""),
        "capabilities": ", ".join(map(str, _list(attrs, "resources"))),
        "knows": knows,
        "withholds": [],
    }


def _fact(row: Data) -> Data:
    object = row.get("object")
    predicate = str(row.get("predicate") or "")
    told = {**object} if isinstance(object, dict) else {"value": object}
    words = [str(value) for key, value in told.items() if key != "value"]
    text = str(told.get("text") or told.get("description") or "; ".join(words) or "")
    value = told.get("value", True)
    subject = str(row.get("subject_id") or "player")
    if not text:
        text = f"{subject.replace('_', ' ')}: {predicate.replace('_', ' ')}, {value}."
    hidden = str(row.get("visibility")) in _HIDDEN
    return {
        "id": str(row.get("id")),
        "subject_id": subject,
        "predicate": "at" if predicate == "location" else predicate,
        "object": {"value": value, "text": text},
        "visibility": "hidden" if hidden else "known",
        "tags": [str(tag) for tag in _list(row, "tags")],
    }


def _tie(row: Data) -> Data:
    """Trust is what someone has in the player; the older form writes it the other way."""
    if row.get("a_id") == "player":
        return {**row, "a_id": row.get("b_id"), "b_id": "player"}
    return dict(row)


def _calibration(older: Data, genre_rules: Any) -> Data:
    tone, themes, risk = older.get("tone"), older.get("themes"), _mapping(older, "risk")
    limits = _mapping(older, "boundaries") or older
    spoken = genre_rules.get("tone") if isinstance(genre_rules, dict) else ""
    lethality, failure = str(risk.get("lethality", "medium")), str(risk.get("failure_mode", ""))
    lethality = _LETHALITY.get(lethality, lethality)
    failure = _FAILURE.get(failure, failure)
    return {
        "tone": tone if isinstance(tone, str) else str(spoken or ""),
        "themes": [_plain(theme) for theme in _flat(themes)],
        "risk": {
            "lethality": lethality if lethality in ("none", "low", "high") else "medium",
            "failure_mode": failure if failure in ("gentle", "harsh") else "consequential",
            "permanence": bool(risk.get("permanence", True)),
        },
        "lines": [_plain(line) for line in _list(limits, "lines")],
        "veils": [_plain(veil) for veil in _list(limits, "veils")],
    }


def _flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [each for inner in value.values() for each in _flat(inner)]
    return value if isinstance(value, list) else []


def _plain(value: Any) -> str:
    return str(value).replace("_", " ")


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _rows(data: Data, key: str) -> list[Data]:
    return [row for row in _list(data, key) if isinstance(row, dict)]


def _list(data: Data, key: str) -> list[Any]:
    value = data.get(key)
    return value if isinstance(value, list) else []


def _mapping(data: Data, key: str) -> Data:
    value = data.get(key)
    return value if isinstance(value, dict) else {}
