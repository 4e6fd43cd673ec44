"""An evening at one table in real browsers: who leads, two who play (one on a phone), one who watches, an AI player.

What must hold is checked after every turn: all see one story, each acts for their own hero alone, and whoever is asked to act
sees where they are and what was told last.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.patience import PATIENCE
from tests.web.cut_line import CutLine, cut_line
from tests.web.served import Eyes, Server, looking

KEY = "open-sesame-42"
MODES = ("free", "rounds", "called", "together", "initiative", "apart", "by_hand")
STORIES = {"initiative": "tithe_door", "apart": "dead_drop"}
TURN_MODES = {"apart": "free", "by_hand": "free"}
"""Which of the page's modes it is, where it has another name."""
WAY = "I go to Kettle Row"
PLAYER = "A player takes a seat and acts"
SAYS = ("I look around", "I wait", "I listen", "I look at the sky", "I count the steps")
IN_VIEW = """() => {
  const turns = [...document.querySelectorAll('article.turn')], last = turns.at(-1)
  if (!last) return true
  const box = document.querySelector('.story').getBoundingClientRect()
  return last.getBoundingClientRect().bottom > box.top && last.getBoundingClientRect().top < box.bottom
}"""
OFFLINE = "net::ERR_INTERNET_DISCONNECTED"
"""What a browser says of each request without a line; nothing else may go wrong."""


@dataclass
class Sitting:
    """Someone at the table, and the pages they look at."""

    name: str
    hero: str
    eyes: Eyes
    page: Page
    others: list[Page] = field(default_factory=list)
    """On further devices."""
    acted: int = 0
    late: int = 0
    """Turns that others had taken before they came."""
    line: CutLine | None = None
    """How they reach the server, where not straight."""

    def company(self, campaign: str) -> Any:
        """The table as their seat sees it."""
        return self._get(f"/campaigns/{campaign}/company")["company"]

    def story(self, campaign: str) -> list[dict[str, Any]]:
        """The whole story as their seat reads it."""
        turns: list[dict[str, Any]] = self._get(f"/campaigns/{campaign}/story?limit=200")["turns"]
        return turns

    def _get(self, path: str) -> Any:
        answer = self.eyes.context.request.get(f"{self.eyes.url}/api{path}")
        assert answer.ok, answer.text()
        return answer.json()


@dataclass
class Evening:
    """One table, from the first invitation on."""

    server: Server
    browser: Browser
    stack: ExitStack
    campaign: str
    here: dict[str, Sitting] = field(default_factory=dict)
    heroes: dict[str, str] = field(default_factory=dict)
    turns: int = 0
    ai_hero: str = ""
    parted: bool = False
    """Whether heroes were ever in different places: then each has read what they saw."""

    def someone(self, width: int, **more: Any) -> Eyes:
        """A browser of their own."""
        return self.stack.enter_context(
            looking(self.browser, self.server, width, reduced_motion="reduce", **more)
        )

    @property
    def master(self) -> Sitting:
        """Who leads."""
        return self.here["Mo"]

    @property
    def players(self) -> list[Sitting]:
        """Who acts, in the order in which they came."""
        return [each for each in self.here.values() if each.hero]

    def open(self, scenario: str = "drowned_bell") -> None:
        """Mo, whose machine it is, opens a story to others and leads it."""
        eyes = self.someone(1280)
        page = eyes.page("/")
        page.get_by_label("The key of this table").fill(KEY)
        page.keyboard.press("Enter")
        expect(page.locator("main h1").first).to_be_visible()
        wish = {"scenario": scenario, "campaign": self.campaign, "seed": 7}
        made = eyes.context.request.post(f"{eyes.url}/api/campaigns", data=wish)
        assert made.ok, made.text()
        page.goto(f"{eyes.url}/#/table/{self.campaign}")
        expect(page.get_by_role("region", name="The story")).to_be_visible()
        page.get_by_role("button", name="Invite").click()
        page.get_by_label("What do they call you?").fill("Mo")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Make a link")).to_be_visible()
        page.keyboard.press("Escape")
        self.here["Mo"] = Sitting("Mo", "", eyes, page)
        page.get_by_role("tab", name="People").click()
        page.get_by_role("button", name="Lead the game").click()
        expect(page.get_by_text("You lead.")).to_be_visible()

    def invited(self, whom: str) -> str:
        """A link that Mo makes, without the address before it."""
        page = self.master.page
        page.get_by_role("button", name="Invite").first.click()
        sheet = page.get_by_role("dialog")
        sheet.get_by_text(whom, exact=True).click()
        sheet.get_by_role("button", name="Make a link").click()
        link = sheet.get_by_label("The link").input_value()
        assert sheet.get_by_role("img", name="The link as a QR code").is_visible()
        page.keyboard.press("Escape")
        return link.partition("/join")[2]

    def comes_in(
        self,
        name: str,
        whom: str,
        width: int,
        hero: str = "",
        line: CutLine | None = None,
        **more: Any,
    ) -> Sitting:
        """Somebody opens a link of their own, and takes a seat."""
        link, eyes = self.invited(whom), self.someone(width, **more)
        eyes.url = line.url if line else eyes.url
        page = eyes.page(f"/join{link}")
        page.get_by_label("Your name at this table").fill(name)
        if hero:
            page.get_by_label("Somebody of my own").check()
            page.get_by_label("Their name").fill(hero)
        page.get_by_role("button", name="Come in").click()
        expect(page.get_by_role("region", name="The story")).to_be_visible()
        assert link.strip("#") not in page.content() and link.strip("#") not in page.url
        sitting = Sitting(name, hero, eyes, page, line=line)
        self.here[name] = sitting
        if hero:
            self.heroes[name] = hero
        return sitting

    def asks_bea(self) -> None:
        """An AI player is asked to join, by whoever leads."""
        page = self.master.page
        page.get_by_text("Ask an AI player to join").click()
        page.get_by_label("Who", exact=True).select_option("bea")
        page.get_by_role("button", name="Ask Bea to join").click()
        expect(page.get_by_label("More about Bea")).to_be_visible()
        rows = self.master.company(self.campaign)["people"]
        self.ai_hero = next(row["character"] for row in rows if row["ai"])

    def set_mode(self, mode: str) -> None:
        """Mo says how turns go; who is to be elsewhere walks away."""
        wanted = TURN_MODES.get(mode, mode)
        self.master.page.get_by_label("How turns go").select_option(wanted)
        for each in self.here.values():
            self.until(lambda each=each: each.company(self.campaign)["mode"] == wanted, "the mode")
        if mode == "by_hand":
            self.master.page.get_by_label("The game master tells every turn").check()
            for each in self.here.values():
                self.until(lambda each=each: each.company(self.campaign)["told_by"], "who tells")
        if mode == "apart":
            self.write(self.here["Ben"], WAY)
            self.told_to_all(1)
            assert self.here["Cleo"].company(self.campaign)["elsewhere"] == ["Sparrow"]

    def write(self, who: Sitting, words: str = "", page: Page | None = None) -> str:
        """They see the scene, and write what they do."""
        page = page or who.page
        self.sees_the_scene(who, page)
        words = words or SAYS[who.acted % len(SAYS)]
        page.get_by_label("Your words").fill(words)
        expect(page.get_by_role("button", name="Send")).to_be_enabled()
        page.keyboard.press("Enter")
        who.acted += 1
        return words

    def sees_the_scene(self, who: Sitting, page: Page) -> None:
        """The place, the last turn that was told, and the pen, without doing anything for it."""
        seen = who._get(f"/campaigns/{self.campaign}/table")
        assert seen["hero"]["name"] == who.hero, f"{who.name} sees {seen['hero']['name']}"
        where = seen["scene"]["name"].replace("'", "’")  # as the page sets it
        expect(page.locator(".bar .where")).to_have_text(where, ignore_case=True)
        expect(page.get_by_label("Your words")).to_be_in_viewport()
        for turn in who.story(self.campaign)[-1:]:
            last = f'article.turn[data-turn="{turn["turn_no"]}"]'
            expect(page.locator(last)).to_be_attached()
        page.wait_for_function(IN_VIEW)

    def call(self, hero: str) -> None:
        """Mo calls who acts."""
        self.master.page.get_by_role("button", name=hero, exact=True).click()

    def due(self, mode: str) -> Sitting:
        """Who acts next: whoever is waited for and has acted least; where one is called, called."""
        rows = list[Sitting]()

        def is_due() -> bool:
            wanted = self.master.company(self.campaign)["turn_of"]
            rows[:] = [each for each in self.players if mode == "called" or each.hero in wanted]
            return bool(rows)

        self.until(is_due, "somebody's turn")
        who = min(rows, key=lambda each: each.acted + each.late)
        if mode == "called":
            self.call(who.hero)
            expect(who.page.get_by_text("Your turn.", exact=True)).to_be_visible()
        return who

    def play(self, mode: str, cut: Callable[[Sitting], None] | None = None) -> None:
        """At least one more turn; with `cut`, that happens to whoever has just written."""
        before = self.turns
        who = self.due(mode)
        self.write(who)
        if cut:
            cut(who)
        if mode == "together":
            for each in self.players:
                if each is not who:
                    self.write(each)
        if mode == "by_hand":
            self.tells([who])
        self.told_to_all(before + 1)
        if mode == "called" and not who.acted % 2:
            self.call(self.ai_hero)
            self.told_to_all(self.turns + 1)

    def tells(self, written: list[Sitting]) -> None:
        """Mo tells what they wrote: as it was proposed one time, the next in words of their own."""
        page = self.master.page
        for each in written:
            expect(page.get_by_role("checkbox", name=each.hero)).to_be_checked()
        words = f"It is told {self.turns}."
        if self.turns % 2:
            page.get_by_role("button", name="Propose a telling").click()
            expect(page.get_by_role("button", name="Propose again")).to_be_visible()
            words = page.get_by_label("Your words").input_value()
        page.get_by_label("Your words").fill(words)
        page.get_by_role("button", name="Send").click()
        expect(page.get_by_label("Your words")).to_have_value("")

    def reloads(self, who: Sitting) -> None:
        """In the middle of their turn, and perhaps before the server has it."""
        who.page.reload()
        expect(who.page.get_by_role("region", name="The story")).to_be_visible()

    def loses_the_line(self, mode: str) -> None:
        """Somebody writes without a line; the others go on where they may; then it is back."""
        who = self.due(mode)
        before, rest = self.turns, [each for each in self.players if each is not who]
        who.eyes.context.set_offline(True)
        self.write(who)
        expect(who.page.get_by_text("The line is lost. What you wrote is kept")).to_be_visible()
        seen = self.master.company(self.campaign)["turn_of"]
        meanwhile = [each for each in rest if each.hero in seen]
        for each in meanwhile if mode == "together" else meanwhile[:1]:
            self.write(each)
        who.eyes.context.set_offline(False)
        told = 1 if mode in ("together", "by_hand") else 1 + len(meanwhile[:1])
        if mode == "by_hand":
            self.tells([who, *meanwhile[:1]])
        self.told_to_all(before + told)
        expect(who.page.get_by_label("Your words")).to_have_value("")

    def loses_the_stream(self, mode: str) -> None:
        """Cleo's page hears nothing any more while all else goes: what the others do meanwhile stands
        there once it hears again, without her doing anything for it."""
        cleo = self.here["Cleo"]
        assert cleo.line
        while self.due(mode) is cleo:
            self.play(mode)
        if mode == "together":
            self.write(cleo)
        cleo.line.cut()
        before, who = self.turns, self.due(mode)
        for each in self.players if mode == "together" else [who]:
            if each is not cleo:
                self.write(each)
        if mode == "by_hand":
            self.tells([who])
        self.told_to_all(before + 1, deaf=cleo)
        cleo.line.mend()
        self.told_to_all(self.turns)
        assert cleo.line.lost, "no stream was lost"

    def second_device(self, who: Sitting) -> None:
        """Somebody on a phone opens the table on a laptop, too, and writes there from now on."""
        page = who.page
        page.get_by_role("button", name="The table").click()
        page.get_by_role("tab", name="People").click()
        page.get_by_role("button", name="Another device").click()
        link = page.get_by_label("Link for another device").input_value().partition("/join")[2]
        page.get_by_role("button", name="Close the panel").last.click()
        eyes = self.someone(1100)
        laptop = eyes.page(f"/join{link}")
        expect(laptop.get_by_text(f"Come back as {who.name} on this device.")).to_be_visible()
        laptop.get_by_role("button", name="Come in").click()
        expect(laptop.get_by_role("region", name="The story")).to_be_visible()
        assert who.company(self.campaign)["devices"] == 2
        who.others, who.page, who.eyes = [page], laptop, eyes

    def late_joiner(self) -> Sitting:
        """Dee comes when the story is under way, and reads what the others have read."""
        dee = self.comes_in("Dee", PLAYER, 1100, "Magpie")
        dee.late = max(each.acted for each in self.players)
        self._reads_the_last(dee)
        return dee

    def told_to_all(self, at_least: int, deaf: Sitting | None = None) -> None:
        """Waits until so many are told and nothing more is due: each page shows the last it saw."""
        story: list[dict[str, Any]] = []

        def is_told() -> bool:
            nonlocal story
            story = self.master.story(self.campaign)
            now = self.master.company(self.campaign)
            away = [each for each in self.players if each.company(self.campaign)["elsewhere"]]
            self.parted = self.parted or bool(away)
            return len(story) >= at_least and (not now["waiting"] or bool(now["told_by"]))

        self.until(is_told, f"turn {at_least}")
        self.turns = len(story)
        for each in self.here.values():
            if each is not deaf:
                self._reads_the_last(each)

    def _reads_the_last(self, who: Sitting) -> None:
        for turn in who.story(self.campaign)[-1:]:
            read = f'article.turn[data-turn="{turn["turn_no"]}"] :is(.said, .prose)'
            told = self.master.page.locator(read)
            expect(told.last).to_be_attached()
            for page in (who.page, *who.others):
                expect(page.locator(read)).to_have_text(told.all_text_contents())

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Waits for something that the server says."""
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, f"{what} never came"
            self.master.page.wait_for_timeout(100)

    def check_one_story(self, apart: bool = False) -> None:
        """All read the same to the last, or what they saw while `apart`; nobody acted for another."""
        stories = {name: each.story(self.campaign) for name, each in self.here.items()}
        mine = [(turn["turn_id"], turn["final_text"]) for turn in stories["Mo"]]
        for name, story in stories.items():
            read = [(turn["turn_id"], turn["final_text"]) for turn in story]
            missed = set(mine) - set(read) if self.parted and name in self.heroes else set()
            own = [row["turn_id"] for row in stories["Mo"] if self._acts(self.here[name].hero, row)]
            assert not {id for id, _ in missed} & set(own), f"{name} misses a turn of their own"
            assert read == [row for row in mine if row not in missed], f"{name} reads another story"
        if apart:
            self._check_apart(stories)
        ids = [part["turn_id"] for turn in stories["Mo"] for part in turn["parts"] or [turn]]
        assert len(ids) == len(set(ids)), "a turn is told twice"
        actors = [part["actor"] for turn in stories["Mo"] for part in turn["parts"] or [turn]]
        for each in self.players:
            assert actors.count(each.hero) == each.acted, f"{each.hero}: {actors}"
        assert set(actors) <= {*self.heroes.values(), self.ai_hero}, actors
        wrong = [said for each in self.here.values() for said in each.eyes.wrong]
        assert [said for said in wrong if OFFLINE not in said] == []

    def _acts(self, hero: str, turn: dict[str, Any]) -> bool:
        """Whether that hero did something in a turn."""
        return hero in [part["actor"] for part in turn["parts"] or [turn]]

    def _check_apart(self, stories: dict[str, list[dict[str, Any]]]) -> None:
        """Ben has gone, and never came back: what he did since is not in Cleo's story, nor hers in his."""
        for reader, other in (("Ben", "Wren"), ("Cleo", "Sparrow")):
            seen = [turn["actor"] for turn in stories[reader] if turn["player_input"] != WAY]
            assert other not in seen and self.heroes[reader] in seen, f"{reader} sees {seen}"

    def check_watcher(self) -> None:
        """Who watches has no pen, and what they post is refused."""
        watcher = self.here["Wim"]
        expect(watcher.page.get_by_text("You are watching.")).to_be_visible()
        expect(watcher.page.get_by_label("Your words")).to_have_count(0)
        address = f"{watcher.eyes.url}/api/campaigns/{self.campaign}/turns"
        assert watcher.eyes.context.request.post(address, data={"text": "I act"}).status == 403


@contextmanager
def gathering(server: Server, browser: Browser, campaign: str) -> Iterator[Evening]:
    """Mo, Ben on a phone whose clock is two days ahead, Cleo, Wim who watches, and Bea."""
    with ExitStack() as stack:
        evening = Evening(server, browser, stack, campaign)
        evening.open(STORIES.get(campaign, "drowned_bell"))
        phone = evening.comes_in("Ben", PLAYER, 390, "Sparrow", has_touch=True)
        phone.page.clock.set_system_time(time.time() + 2 * 86_400)
        line = stack.enter_context(cut_line(server.url))
        evening.comes_in("Cleo", PLAYER, 1100, "Wren", line)
        evening.comes_in("Wim", "A spectator watches", 820)
        evening.asks_bea()
        yield evening
