"""Writes along.yaml: what players type when they go elsewhere, by whether Robin, who stands beside
them, goes along. Casey stands there, too. `fit_parts.py` learns from it.

    python training/asked/along.py
"""

import random
from pathlib import Path

import yaml

PLACES = (
    "the market",
    "the pier",
    "Kettle Row",
    "the old mill",
    "upstairs",
    "the chapel",
    "the bridge",
    "the harbour master's office",
    "the woods",
    "outside",
    "the roof",
    "Blackwater",
    "the cellar",
)
GO = (
    "go to",
    "head for",
    "walk to",
    "run to",
    "make for",
    "set out for",
    "hurry over to",
    "ride to",
    "climb up to",
    "sneak over to",
    "return to",
    "leave for",
    "stroll down to",
    "drive to",
    "enter",
)
LEADS = (
    "take",
    "bring",
    "lead",
    "escort",
    "drag",
    "usher",
    "guide",
    "carry",
    "pull",
    "march",
    "walk",
    "shepherd",
    "steer",
    "haul",
    "accompany",
    "hurry",
    "hustle",
    "row",
    "drive",
    "smuggle",
    "show",
)
LETS = (
    "follow",
    "chase",
    "send",
    "race after",
    "look for",
    "trail",
    "shadow",
    "order",
    "tell",
)
BEFORE = (
    "kiss",
    "thank",
    "warn",
    "leave",
    "push past",
    "nod at",
    "wave to",
    "say goodbye to",
    "hug",
    "shout at",
    "ask",
    "pay",
    "slap",
    "tie up",
    "lock in",
    "hide from",
    "distract",
    "wait for",
)
ALL = (
    "everyone",
    "everybody",
    "all of them",
    "the others",
    "the rest",
    "the whole party",
    "the group",
    "the lot of them",
    "the gang",
    "my friends",
    "our company",
    "the team",
    "the whole crew",
    "my companions",
    "both of them",
    "all my people",
    "the whole band",
)
GOES = (
    "Robin and I {go} {place}",
    "I {go} {place} with Robin",
    "me and Robin {go} {place}",
    "I {leads} Robin to {place}",
    "I {leads} Robin along to {place}",
    "{leads} Robin to {place}",
    "I {go} {place}, Robin comes with me",
    "I {go} {place} and Robin follows me",
    "I {go} {place} and take Robin along",
    "I grab Robin and we {go} {place}",
    "I {go} {place} together with Robin",
    "with Robin at my side I {go} {place}",
    "I take Robin by the arm and {go} {place}",
    "arm in arm with Robin I {go} {place}",
    "I ask Robin to come along and {go} {place}",
    "Robin, come on, we {go} {place}",
    "I {leads} Robin and Casey to {place}",
    "I {go} {place} with Casey and Robin",
    "I {go} {place}, with Robin right behind me",
    "I beckon Robin along and {go} {place}",
    "I {go} {place} and leave Casey here with nobody, Robin comes along",
    "I help Robin up and {leads} Robin to {place}",
    "I {go} {place} carrying Robin",
    "Robin rides with me to {place}",
    "I won't go without Robin, so we both {go} {place}",
)
GOES += (
    "I {leads} Robin into {place}",
    "I {leads} Robin over to {place}",
    "I {leads} Robin off to {place}",
    "I {leads} Robin through the door to {place}",
    "I am going to {leads} Robin to {place}",
    "I lift Robin up and {go} {place}",
    "I put Robin on my back and {go} {place}",
)
GOES_ALL = (
    "we {go} {place}",
    "let's {go} {place}",
    "together we {go} {place}",
    "we all {go} {place}",
    "I {leads} {all} to {place}",
    "I {go} {place} with {all}",
    "{all} {go} {place}",
    "{all}, to {place}",
    "all of us {go} {place}",
    "come on {all}, we {go} {place}",
    "we {go} {place} without Casey",
    "we leave Casey here and {go} {place}",
    "I call {all} together and we {go} {place}",
    "I gather {all} and {go} {place} with them",
    "I tell {all} to come and we {go} {place}",
    "nous allons a {place}",
    "wir gehen zu {place}",
    "off we go, {place}",
    "I {go} {place} and {all} come along",
    "to {place}, all of us",
    "vamos todos a {place}",
    "nous partons tous pour {place}",
    "{all} with me, we {go} {place}",
)
STAYS = (
    "I {go} {place}",
    "I {go} {place} alone",
    "I {go} {place} without Robin",
    "{go} {place}",
    "I {before} Robin and {go} {place}",
    "I {before} Robin, then I {go} {place}",
    "I {lets} Robin to {place}",
    "I leave Robin here and {go} {place}",
    "I {go} {place} while Robin waits",
    "I {go} {place}, Robin stays here",
    "I {go} {place} and Robin keeps watch",
    "Robin stays behind, I {go} {place}",
    "I don't take Robin with me, I {go} {place}",
    "I {go} {place} to get away from Robin",
    "I {go} {place} to find help for Robin",
    "I take Robin's hat and {go} {place}",
    "I talk with Robin and {go} {place}",
    "I drink with Robin, then {go} {place}",
    "I {go} {place} with Casey",
    "Casey and I {go} {place}",
    "I {leads} Casey to {place}",
    "I {leads} Casey to {place} and leave Robin",
    "we {go} {place} without Robin",
    "we leave Robin behind and {go} {place}",
    "we {go} {place}, but Robin stays",
    "I {go} {place} with my lantern",
    "I {leads} my horse to {place}",
    "I leave {all} and {go} {place}",
    "I {go} {place} while {all} sleep",
    "I slip away from {all} and {go} {place}",
    "I tell {all} to wait and {go} {place}",
    "{all} stay here, I {go} {place}",
    "je vais a {place}",
    "ich gehe zu {place}",
    "voy solo a {place}",
    "the party is loud, I {go} {place}",
    "we talked for long, now I {go} {place}",
    "while we rest I {go} {place}",
    "I {go} {place} with a smile",
    "I carry the crate to {place}",
    "I bring the letter to {place}",
    "I take the key from Robin and {go} {place}",
    "I tell Robin to stay and {go} {place}",
    "I ask Robin where it is and {go} {place}",
    "I give Robin the mug and {go} {place}",
    "nobody comes with me, I {go} {place}",
    "I {go} {place} by myself, not with Robin",
    "I let Robin sleep and {go} {place}",
    "I point Robin to {place} and {go} {place}",
    "I {go} {place} instead of Robin",
    "I {go} {place} ahead of Robin",
    "I {go} {place} after Robin",
)
GOES_ALL += (
    "without Casey we {go} {place}",
    "we {go} {place} and leave Casey here",
    "we {go} {place}, Casey stays",
    "the rest of us {go} {place} without Casey",
    "all but Casey {go} {place}",
    "we others {go} {place}",
)
GOES += (
    "I {go} {place} with Robin and Casey",
    "with Robin and Casey I {go} {place}",
    "Robin, Casey and I {go} {place}",
    "I {leads} Casey and Robin to {place}",
    "I {go} {place}, and Robin and Casey come with me",
)
STAYS += (
    "I {go} {place}, angry with Robin",
    "I {go} {place}, fed up with Robin",
    "cross with Robin I {go} {place}",
    "I {go} {place} as Robin distracts them",
    "I {go} {place} while Robin talks to them",
    "I {go} {place} as Robin holds the door",
    "I {go} {place} with Robin watching from here",
    "I agree with Robin and {go} {place}",
    "done with Robin, I {go} {place}",
    "I {go} {place}, Robin covers my back from here",
    "I argue with Robin. I {go} {place}",
    "I {go} {place} before Robin can stop me",
)
EACH = 9
"""How often a sentence is filled in."""


def filled(sentences: tuple[str, ...], chance: random.Random) -> list[str]:
    """The sentences with words in them."""
    lists = {"go": GO, "place": PLACES, "leads": LEADS, "lets": LETS, "before": BEFORE, "all": ALL}
    made: list[str] = []
    for sentence in sentences:
        for _ in range(EACH):
            words = {name: chance.choice(each) for name, each in lists.items()}
            made.append(sentence.format(**words))
    return sorted(set(made))


def main() -> None:
    """Writes it."""
    chance = random.Random(19)
    of_other = tuple(each.replace("Robin", "Casey") for each in GOES if "Casey" not in each)
    left_out = tuple(each.replace("Casey", "Robin") for each in GOES_ALL if "Casey" in each)
    told = {
        "goes": filled(GOES + GOES_ALL, chance),
        "stays": filled(STAYS + of_other + left_out, chance),
    }
    head = "# Whether Robin goes along with whoever goes elsewhere. Written by along.py beside this; CC0.\n"
    file = Path(__file__).with_suffix(".yaml")
    file.write_text(head + yaml.safe_dump(told, allow_unicode=True, width=200), encoding="utf-8")


if __name__ == "__main__":
    main()
