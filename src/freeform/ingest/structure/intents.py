"""Says what a chapter is for: one of the seed's nine intents, from its title and from what stands
in it. Pure."""

import re
from collections.abc import Sequence

from freeform.ingest.model import Block, ChapterIntent
from freeform.ingest.things.indicators import mechanical_score
from freeform.ingest.things.statruns import find_runs

#: Words a title may hold, each with its weight. Common nouns of the craft, not names from any one game.
TITLE_WORDS: dict[ChapterIntent, str] = {
    ChapterIntent.META: r"legal|licen[cs]e|credits?|copyright|contents|index|colophon|foreword|acknowledge?ments?|about this|"
    r"how to use this|preface|ogl|errata|playtest(ers)?|kickstarter|backers",
    ChapterIntent.BESTIARY: r"monsters?|creatures?|bestiary|beasts?|adversar(y|ies)|antagonists?|foes|enem(y|ies)|npcs?|"
    r"nonplayer characters?|animals?|fiends?|dragons?|menagerie|denizens|stat(istic)?s? blocks?",
    ChapterIntent.EQUIPMENT: r"equipment|gear|items?|weapons?|armou?r|treasures?|artifacts?|goods|vehicles?|loot|wondrous|"
    r"possessions|tools|arsenal|armoury|magic items?",
    ChapterIntent.FACTIONS: r"factions?|guilds?|orders?|houses?|clans?|cults?|organi[sz]ations?|societ(y|ies)|sects?|"
    r"tribes?|syndicates?|corporations?|traditions?|covenants?|kindred|nations",
    ChapterIntent.SETTING: r"world|setting|lands?|realms?|geography|planes?|cit(y|ies)|gazetteer|locations?|places?|history|"
    r"timeline|gods?|deit(y|ies)|pantheons?|cosmology|culture|regions?|maps?|universe|kingdoms?|atlas",
    ChapterIntent.CHARACTERS: r"characters?|class(es)?|races?|ancestr(y|ies)|origins?|heritages?|backgrounds?|feats?|"
    r"archetypes?|playbooks?|species|lineages?|multiclassing|advancement|levell?ing|experience|skills?|talents?|merits",
    ChapterIntent.NARRATIVE: r"adventures?|scenarios?|campaigns?|stor(y|ies)(telling)?|running|game ?master(ing)?|chronicles?|"
    r"plots?|quests?|hooks?|missions?|acts?|scenes?|encounters?|fiction|prologue|epilogue|interlude|session|advice|"
    r"guidance|referee(ing)?",
    ChapterIntent.MECHANICS: r"rules?|combat|magic|spell(s|casting)?|abilit(y|ies)|mechanics|dice|checks?|actions?|systems?|"
    r"conditions?|playing the game|powers?|drama|damage|healing|moves?|basics|resolution|initiative|using",
    ChapterIntent.REFERENCE: r"appendi(x|ces)|glossary|tables?|reference|summary|lists?|charts?|sheets?|quick",
}
_TITLES = {intent: re.compile(rf"\b(?:{words})\b", re.I) for intent, words in TITLE_WORDS.items()}
#: A title's word counts for more when it is rarer among books: 'monsters' says more than 'using'.
WEIGHTS = {
    ChapterIntent.META: 4.0,
    ChapterIntent.BESTIARY: 3.4,
    ChapterIntent.EQUIPMENT: 3.2,
    ChapterIntent.FACTIONS: 3.0,
    ChapterIntent.SETTING: 2.8,
    ChapterIntent.CHARACTERS: 3.0,
    ChapterIntent.NARRATIVE: 2.6,
    ChapterIntent.MECHANICS: 2.6,
    ChapterIntent.REFERENCE: 1.6,
}
#: Letters of a chapter that are looked at for shapes: they show early or not at all.
SAMPLE = 12_000
_DICE = re.compile(r"\b\d*d\d+\b")
_ARMOUR = re.compile(r"(?im)^\W*(?:armou?r class|ac|hit points|hp)\W+\d")
_LEVELS = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)[ -]level\b", re.I)
_PRICES = re.compile(r"\b\d[\d,]*\s?(?:gp|sp|cp|pp|gold|credits|cr|\$|£|lb\.?)\b", re.I)
_YOU = re.compile(r"\byour?\b", re.I)
_RULE = re.compile(
    r"\b(?:roll|bonus|modifier|damage|turn|round|check|save|saving throw|difficulty|dice|points?)\b",
    re.I,
)
_PLACE = re.compile(
    r"\b(?:north|south|east|west|river|city|town|village|mountains?|hills?|forest|coast|sea|harbou?r|island|streets?|"
    r"tower|castle|temple|chapel|century|king|queen|empire|people)\b",
    re.I,
)
_LEGAL = re.compile(r"©|copyright|all rights reserved|licen[cs]e|trademark|isbn", re.I)


def intent_of(title: str, blocks: Sequence[Block]) -> tuple[ChapterIntent, float]:
    """The intent with its confidence, 0 to 1."""
    scores = dict.fromkeys(ChapterIntent, 0.0)
    for intent, words in _TITLES.items():
        # The last noun is what the chapter has: 'Magic Items' are items, 'Character Equipment' is
        # equipment.
        places = [found.end() for found in words.finditer(title)]
        if places:
            scores[intent] += WEIGHTS[intent] * (0.6 + 0.4 * max(places) / max(1, len(title)))
    for intent, score in _content_scores(blocks).items():
        scores[intent] += score
    best = max(scores, key=lambda intent: scores[intent])
    total = sum(scores.values())
    if not total:
        return ChapterIntent.SETTING, 0.2
    second = sorted(scores.values())[-2]
    return best, round(min(0.98, 0.35 + 0.6 * (scores[best] - second) / max(scores[best], 1.0)), 2)


def is_meta(title: str) -> bool:
    """Whether a section's title alone says that it is about the book, not the game."""
    return bool(_TITLES[ChapterIntent.META].search(title)) and len(title.split()) <= 6


def _content_scores(blocks: Sequence[Block]) -> dict[ChapterIntent, float]:
    text = "\n".join(block.text for block in blocks[:300])[:60_000]
    thousand = max(0.3, len(text.split()) / 1000)
    if len(text) < 200:
        return {ChapterIntent.META: 0.8} if _LEGAL.search(text) else {}

    # A line about the licence on the first page makes no legal notice of a whole chapter.
    legal = sum(len(block.text) for block in blocks if _LEGAL.search(block.text)) / max(
        1, len(text)
    )

    # Numbers in a line that its heading names are a creature's; words of rules alone make no rules.
    sample = text[:SAMPLE]
    owned = sum(1 for run in find_runs(sample) if not run.name)
    rules = mechanical_score(sample, len(sample.split()))
    few = max(0.3, len(sample.split()) / 1000)

    def rate(pattern: re.Pattern[str]) -> float:
        return len(pattern.findall(text)) / thousand

    return {
        ChapterIntent.META: min(4.0, 0.7 * rate(_LEGAL)) * min(1.0, 2.0 * legal),
        ChapterIntent.BESTIARY: min(3.0, 0.45 * rate(_ARMOUR) + 0.3 * (owned > 1) * owned / few),
        ChapterIntent.EQUIPMENT: min(2.0, 0.12 * rate(_PRICES)),
        ChapterIntent.CHARACTERS: min(2.4, 0.22 * rate(_LEVELS)) if rate(_YOU) > 12 else 0.0,
        ChapterIntent.MECHANICS: min(1.6, 0.05 * rate(_RULE) + 0.05 * rate(_DICE))
        * max(0.0, min(1.0, 4.0 * rules - 0.6)),
        ChapterIntent.SETTING: min(2.0, 0.12 * rate(_PLACE)),
    }
