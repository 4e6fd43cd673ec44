"""A scenario of twenty-five lines, written to a file, read back with its checks, and played to its ending."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.turn import Say, take_turn
from freeform.settings.sources import load
from freeform.wiring import opened

SCENARIO = """
id: lamp_room
name: The Lamp Room
genre: mystery
description: A lighthouse, a storm, and a lamp somebody put out.
system: pbta
opening: The great lamp is dark, and out on the water a ship's horn asks where the rocks are.
start: {location: lamp_room}
heroes: [{id: keeper, name: Nan, concept: the keeper's daughter, stats: {wits: 2, nerve: 1}}]
entities:
  - {id: lamp_room, type: location, name: the lamp room}
  - {id: lamp, type: item, name: great lamp, attrs: {aliases: [lamp], portable: false}}
  - {id: matches, type: item, name: box of matches, attrs: {aliases: [matches]}}
inventory: [{owner_id: lamp_room, item_id: lamp}, {owner_id: lamp_room, item_id: matches, flags: {hidden: true}}]
places: {lamp_room: {description: A round room of salt-blind glass. The lamp stands cold; an oilskin hangs on a hook.}}
discoverables:
  - {id: pocket, at: lamp_room, trigger: search the oilskin, words: [oilskin, coat, pocket],
     content: [In the pocket is a box of matches. One is dry.], effects: [{hand: {item: matches, source: lamp_room, to: player}}]}
affordances:
  - {id: relight, action: use, target: lamp, words: [relight, light the lamp], using: matches, once: true,
     blocked: The wick is fine. You have nothing to light it with.,
     outcomes: {success: {text: [The wick takes. The beam swings out and finds a hull turning away from the rocks.],
       effects: [{set: {subject: lamp, predicate: state, value: lit, text: The great lamp is lit.}}]}}}
endings: [{id: safe, title: A light on the water, when: [{fact: [lamp, state, lit]}], text: The horn answers twice.}]
"""


async def main() -> None:
    with TemporaryDirectory() as folder:
        (file := Path(folder, "lamp_room.yaml")).write_text(SCENARIO, encoding="utf-8")
        scenario = load_scenario(str(file))
    async with opened(load({"model": "offline"}).settings) as table:
        print((await begin(scenario, "example-05", 7, Answers(), table)).opening)
        for text in ("Light the lamp", "Search the oilskin", "Light the lamp with the matches"):
            print(
                f"\n> {text}\n{(await take_turn(Say(campaign='example-05', text=text), table)).final_text}"
            )


asyncio.run(main())
