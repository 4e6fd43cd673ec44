"""Asks the questions of the suite `answers` in a home that is thrown away: offline, with the SRD
installed as a person would install it."""

import tempfile
from pathlib import Path

from freeform.assistant.model import Answer
from freeform.core.errors import FreeformError, NotFound
from freeform.evals.report import SuiteReport
from freeform.evals.suites.answers.question import AnswerQuestion, AskedTable
from freeform.evals.suites.answers.suite import run_answers
from freeform.evals.suites.first_runs import SetWish
from freeform.services.arrivals.bring import Arrival, bring_rulebook
from freeform.services.assistant.questions import ask
from freeform.services.house import opened_house
from freeform.services.librarian import AskWish
from freeform.settings import Settings


async def measure_answers(data: Path | None, wish: SetWish) -> SuiteReport:
    """Every question of the chosen sets."""
    srd = data / "srd" / "json" if data else None
    if srd is None or not srd.is_dir():
        raise NotFound("there is no SRD: give --data DIR (or set FREEFORM_DATA) with DIR/srd/json")
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.model_validate({"home": Path(folder), "model": "offline"})
        async with opened_house(settings) as house:
            await bring_rulebook(house, Arrival(path=srd, name="srd"))

            async def put(table: AskedTable, question: AnswerQuestion) -> Answer:
                asked = AskWish(
                    character=table.character,
                    notes=table.notes,
                    rulebooks=[table.rulebook] if table.rulebook else [],
                    before=question.before,
                )
                try:
                    return await ask(house, question.ask, asked)
                except FreeformError as refused:
                    return Answer(question=question.ask, answer=f"Not answered: {refused}")

            return await run_answers(data, wish, put)
