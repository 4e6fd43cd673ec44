"""The game master's desk: a small story written without a file, played and put on the shelf; and the
pages of it, wide and narrow."""

from playwright.sync_api import Browser, Page, expect

from tests.web.served import Eyes, Server, by_width, check_access, reading


def part(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="Parts of the draft").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_attached()


def test_a_small_story_is_written_played_and_published(eyes: Eyes, server: Server) -> None:
    page = eyes.page("/#/desk")
    page.get_by_label("With a blank page").fill("The Dry Well")
    page.keyboard.press("Enter")
    page.get_by_label("Opening", exact=False).first.fill("The bucket comes up empty.")
    part(page, "Places")
    page.locator("details.card > summary").click()
    page.get_by_label("Name", exact=True).fill("The green")
    page.get_by_label("What one sees on coming in").fill("Grass, a bench, a rope.")
    part(page, "Cast")
    page.get_by_role("button", name="Add somebody").click()
    page.get_by_label("Name", exact=True).fill("Ada")
    part(page, "Facts & clues")
    page.get_by_role("button", name="Add a secret").click()
    page.get_by_label("What is true").fill("The new mill drinks the spring.")
    add = page.get_by_role("combobox", name="Add a clue to")
    add.select_option(label="The green")
    page.get_by_label("What one looks at").fill("rope")
    page.get_by_label("What one sees", exact=True).fill("Its wet end is a week old.")
    expect(page.get_by_text("only one way leads there")).to_be_visible()
    add.select_option(value="tell somebody")
    page.get_by_label("Asked about").fill("well, water")
    page.get_by_label("They say").fill('"Ask who grinds at night."')
    expect(page.get_by_text("2 ways lead there")).to_be_visible()
    part(page, "Endings")
    page.get_by_role("button", name="Add an ending").click()
    page.locator("details.card > summary").click()
    page.get_by_label("What players read").fill("You know whom to see.")
    expect(page.get_by_text("Kept", exact=True)).to_be_visible()
    part(page, "Overview")
    expect(page.get_by_text("Nothing is wrong with what is written.")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Play it", exact=True).click()
    expect(page.get_by_text("The bucket comes up empty.")).to_be_visible()
    page.get_by_role("link", name="Back to the desk").click()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("The Dry Well is on the shelf.")).to_be_visible()
    page.get_by_role("link", name="Begin it").click()
    expect(page.get_by_role("heading", name="The Dry Well")).to_be_visible()
    assert server.ask("/scenarios/the_dry_well/check")["reach"]["endings"]["reachable"] == 1


def test_desk_and_screen_can_be_read_wide_and_narrow(browser: Browser, server: Server) -> None:
    server.begin("screened")
    found: list[str] = []
    draft = server.ask("/drafts", {"scenario": "first_night"})["id"]
    for width in (1280, 390):
        with reading(browser, server, width) as (eyes, page):
            page.goto(f"{server.url}/#/desk")
            expect(page.get_by_role("heading", name="In the drawer")).to_be_visible()
            found += check_access(page, f"drafts {width}", by_width(width))
            for section in ("over", "facts", "cast"):
                page.goto(f"{server.url}/#/desk/{draft}/{section}")
                if section == "over":
                    expect(page.get_by_role("group", name="Map of")).to_be_visible()
                else:
                    page.locator(".part details.card > summary").first.click()
                found += check_access(page, f"{section} {width}", by_width(width))
            page.goto(f"{server.url}/#/table/screened")
            page.get_by_role("button", name="Behind the screen").click()
            tide = page.get_by_role("button", name="The tide: one on")
            expect(page.get_by_text("Nobody knows yet")).to_be_visible()
            found += check_access(page, f"screen {width}", by_width(width))
            page.get_by_role("tab", name="Clocks").click()
            tide.click()
            expect(page.get_by_role("dialog").get_by_text("The tide: 1.")).to_be_visible()
            page.get_by_role("tab", name="Your hand").click()
            page.get_by_role("button", name="Take the last one back").click()
            expect(page.get_by_text("Nothing yet.")).to_be_visible()
            assert eyes.wrong == []
    assert found == []
