"""Playing by keyboard, stopping, safety, long stories, and what happens when things fail."""

import re

from playwright.sync_api import Page, Route, expect

from tests.web.long_story import write_long_story
from tests.web.served import Eyes, Server, silent_model


def _table(eyes: Eyes, server: Server, campaign: str, *turns: str) -> Page:
    server.begin(campaign)
    server.play(campaign, *turns)
    page = eyes.page(f"/#/table/{campaign}")
    expect(page.get_by_label("Your words")).to_be_visible()
    expect(page.locator("article.turn")).to_have_count(len(turns))
    return page


def test_a_whole_turn_and_its_undoing_need_no_mouse(eyes: Eyes, server: Server) -> None:
    page = _table(eyes, server, "keys", "Free Obed's foot from the stones")
    page.keyboard.press("i")
    page.keyboard.type("I look around")
    page.keyboard.press("Enter")
    expect(page.locator("article.turn")).to_have_count(2)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("img", name="Take 2 of 2")).to_be_visible()
    page.get_by_role("region", name="The story").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("img", name="Take 1 of 2")).to_be_visible()
    page.keyboard.press("u")
    expect(page.locator("article.turn")).to_have_count(1)
    page.keyboard.press("y")
    expect(page.locator("article.turn")).to_have_count(2)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("w")
    expect(page.get_by_role("heading", name="The world")).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("t")
    expect(page.get_by_label("Your words")).to_be_visible()


def test_up_in_the_empty_input_edits_the_last_words_and_keeps_the_old_ones(
    eyes: Eyes, server: Server
) -> None:
    page = _table(eyes, server, "edit", "I look around")
    page.get_by_label("Your words").focus()
    page.keyboard.press("ArrowUp")
    field = page.get_by_label("Your words, once more")
    expect(field).to_be_focused()
    field.fill("I look at the marker posts")
    page.keyboard.press("Enter")
    expect(page.locator("article.turn").last).to_contain_text("I look at the marker posts")
    assert len(server.ask("/campaigns/edit/branches")["branches"]) == 2


def test_the_telling_is_continued_corrected_told_anew_and_written_by_hand(
    eyes: Eyes, server: Server
) -> None:
    page = _table(eyes, server, "pen", "I look around")
    words, turns = page.get_by_label("Your words"), page.locator("article.turn")
    words.focus()
    page.keyboard.press("Alt+Enter")
    expect(turns).to_have_count(2)
    expect(turns.last.locator(".said")).to_contain_text("wait and see what happens")

    def tool(name: str) -> None:
        turns.last.locator("summary").click()
        turns.last.get_by_role("button", name=name).click()

    before = server.ask("/campaigns/pen/story")["turns"][-1]["final_text"]
    tool("Tell it in other words")
    expect(turns.last).to_contain_text("corrected")
    assert server.ask("/campaigns/pen/story")["turns"][-1]["final_text"] != before
    tool("Edit the telling")
    page.get_by_label("What turn 2 reads").fill("The bell is silent now.")
    page.get_by_role("button", name="Keep these words").click()
    expect(turns.last).to_contain_text("The bell is silent now.")
    page.get_by_role("radio", name="Story").check()
    words.fill("A grey dog comes up the road, and sits.")
    page.keyboard.press("Enter")
    expect(turns).to_have_count(3)
    expect(turns.last).to_contain_text("A grey dog comes up the road, and sits.")
    expect(turns.last).to_contain_text("written by hand")
    page.get_by_role("button", name="Undo the last turn").click()
    expect(turns).to_have_count(2)
    page.get_by_role("button", name="Undo the last turn").click()
    expect(turns.last).not_to_contain_text("The bell is silent now.")


def test_escape_stops_a_turn_and_a_reload_finds_it_still_being_told(
    eyes: Eyes, server: Server
) -> None:
    page = _table(eyes, server, "stop", "I look around")
    with silent_model() as url:
        server.ask("/model", {"model": f"url:{url}#silent"})
        try:
            page.get_by_label("Your words").fill("I listen")
            page.keyboard.press("Enter")
            expect(page.get_by_role("button", name="Stop")).to_be_visible()
            page.reload()
            expect(page.get_by_role("button", name="Stop")).to_be_visible()
            page.keyboard.press("Escape")
            expect(page.get_by_role("button", name="Send")).to_be_visible()
        finally:
            server.ask("/model", {"model": "offline"})
    assert server.ask("/campaigns/stop")["playing"] == ""


def test_the_x_card_hides_the_page_goes_back_and_leaves_it_out(eyes: Eyes, server: Server) -> None:
    page = _table(eyes, server, "x", "I look around", "I look at the people in the water")
    page.keyboard.press("x")
    expect(page.get_by_role("dialog", name="The story is paused")).to_be_visible()
    for told in (".story .page", ".chips", "aside"):
        assert "blur" in page.locator(told).evaluate("node => getComputedStyle(node).filter"), told
    page.keyboard.type("drowning")  # the question has the focus
    page.keyboard.press("Enter")
    expect(page.locator("article.turn")).to_have_count(1)
    page.get_by_role("tab", name="Safety").click()
    expect(page.get_by_text("drowning")).to_be_visible()


def test_dice_beside_the_game_change_nothing_in_the_story(eyes: Eyes, server: Server) -> None:
    page = _table(eyes, server, "dice", "I look around")
    page.get_by_label("Roll").check()
    page.get_by_label("Your words").fill("2d6+1")
    page.keyboard.press("Enter")
    expect(page.get_by_text("You rolled 2d6")).to_be_visible()
    expect(page.locator("article.turn")).to_have_count(1)


def test_words_that_were_not_sent_survive_a_reload(eyes: Eyes, server: Server) -> None:
    page = _table(eyes, server, "draft")
    page.get_by_label("Your words").fill("I am still thinking about")
    page.reload()
    expect(page.get_by_label("Your words")).to_have_value("I am still thinking about")


def test_what_a_player_types_is_never_markup(eyes: Eyes, server: Server) -> None:
    page = _table(eyes, server, "markup", "I say <img src=x onerror=alert(1)> **loudly**")
    expect(page.locator("article.turn").last).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("article.turn img").count() == 0


def test_prose_is_told_to_a_screen_reader(eyes: Eyes, server: Server) -> None:
    page = _table(eyes, server, "reader")
    page.get_by_label("Your words").fill("I look around")
    page.keyboard.press("Enter")
    expect(page.locator("#spoken[aria-live=polite]")).not_to_be_empty()


def test_a_turn_that_ends_before_the_line_is_open_is_shown_and_told(
    eyes: Eyes, server: Server
) -> None:
    eyes.context.add_init_script(
        "delete window.SharedWorker"
    )  # a worker's requests cannot be held back from here
    held: list[Route] = []
    eyes.context.route("**/api/events*", lambda route: held.append(route))
    page = _table(eyes, server, "deaf")
    page.get_by_label("Your words").fill("I look around")
    page.keyboard.press("Enter")
    server.wait("deaf", turn_no=1)
    for route in held:
        route.continue_()
    expect(page.locator("article.turn")).to_have_count(1)
    expect(page.locator("#spoken[aria-live=polite]")).not_to_be_empty()
    expect(page.get_by_role("button", name="Send")).to_be_visible()


def test_the_theme_one_chose_stays(eyes: Eyes, server: Server) -> None:
    page = eyes.page("/#/setup")
    page.get_by_role("button", name="Dark page").click()
    page.reload()
    expect(page.get_by_role("button", name="Light page")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 23, 26)"


def test_one_may_play_somebody_of_ones_own_in_a_manner_of_ones_own(
    eyes: Eyes, server: Server
) -> None:
    page = eyes.page("/#/setup/drowned_bell")
    page.get_by_text("Someone of your own").click()
    expect(page.get_by_role("button", name="Begin")).to_be_disabled()
    page.get_by_role("textbox", name="Name").fill("Tove Arn")
    page.get_by_role("spinbutton", name="lore").fill("4")
    page.get_by_text("How it is played").click()
    page.get_by_label("How deadly?").select_option("none")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("header .label")).to_have_text("Tove Arn")
    assert (
        server.ask(f"/campaigns/{page.url.rpartition('/')[2]}/table")["hero"]["stats"]["lore"] == 4
    )


def test_a_pack_that_is_none_is_refused_in_one_sentence_and_one_that_is_says_what_it_holds(
    eyes: Eyes, server: Server
) -> None:
    page = eyes.page("/#/world/-/packs")
    page.get_by_role("button", name="Look into it: Saltmarch").click()
    expect(page.get_by_text("Checked: nothing is wrong with it.")).to_be_visible()
    file = {"name": "notes.zip", "mimeType": "application/zip", "buffer": b"this is no zip"}
    page.locator("input[type=file]").set_input_files([file])
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("alert")).not_to_contain_text("Traceback")
    assert len(eyes.wrong) == 1 and re.search("status of 4", eyes.wrong.pop())


def test_of_a_long_story_only_a_window_is_in_the_page_and_one_keeps_ones_place(
    eyes: Eyes, server: Server
) -> None:
    write_long_story(server.home, "long", 300)
    page = eyes.page("/#/table/long")
    expect(page.locator("[data-turn='300']")).to_be_in_viewport()
    assert page.locator("article.turn").count() <= 60
    story = page.get_by_role("region", name="The story")
    while int(page.locator("[data-turn]").first.get_attribute("data-turn") or 0) > 1:
        story.evaluate("node => (node.scrollTop = 0)")
        page.wait_for_timeout(30)
        assert page.locator("article.turn").count() <= 60
    server.play("long", "I wait")
    expect(page.locator("[data-turn='1']")).to_be_attached()
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator("[data-turn='301']")).to_be_in_viewport()
