"""Questions of many manners over sheets and notes that lie in the tree: most are answered rightly."""

from pathlib import Path

from freeform.evals.suites.answers.judge import judge
from freeform.evals.suites.answers.question import read_questions, read_tables
from freeform.evals.suites.answers.suite import answer_sets
from freeform.services.assistant.questions import ask
from freeform.services.house import opened_house
from freeform.services.librarian import AskWish
from freeform.settings import Settings

OWN = {"ilva", "hamund", "wenna", "nessa", "brannoc"}
"""Tables whose sheets and notes lie beside the suite, or in the bundled example."""


async def test_most_questions_of_the_open_half_are_answered_with_their_source(
    tmp_path: Path, data: Path
) -> None:
    (open_half,) = [each for each in answer_sets() if each.folder is None]
    tables = read_tables(data)
    judged = []
    async with opened_house(
        Settings.model_validate({"home": tmp_path, "model": "offline"})
    ) as house:
        for question in read_questions(open_half.file)[::3]:  # each takes a second
            table = tables[question.table]
            if question.table in OWN and question.source in ("sheet", "notes"):
                wish = AskWish(character=table.character, notes=table.notes, before=question.before)
                judged.append(judge(question, await ask(house, question.ask, wish)))
    right = [one for one in judged if one.verdict == "right"]
    assert len(judged) > 15
    assert len(right) >= 0.8 * len(judged)
