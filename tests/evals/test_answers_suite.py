"""The judge of `eval answers`: what a reader would call right, and what not."""

from freeform.assistant.model import Answer, CitedSource
from freeform.evals.suites.answers.judge import holds, judge
from freeform.evals.suites.answers.question import AnswerQuestion, read_questions
from freeform.evals.suites.answers.suite import BLIND, HERE, answer_sets
from freeform.evals.suites.first_runs import standing

AC = AnswerQuestion(table="t", source="sheet", ask="AC?", facts=["18"])
SHEET = CitedSource(n=1, tool="character_data", where="sheet", quote="Armor Class 18 = armor 16")


def said(text: str, *sources: CitedSource) -> Answer:
    return Answer(answer=text, sources=list(sources))


def test_a_fact_with_the_source_that_shows_it_is_right() -> None:
    assert judge(AC, said("**Armor Class 18** [1]", SHEET)).verdict == "right"


def test_a_fact_without_a_source_or_with_another_is_not() -> None:
    other = SHEET.model_copy(update={"quote": "Speed 30"})
    assert judge(AC, said("**Armor Class 18**", SHEET)).unsourced == ["18"]
    assert judge(AC, said("**Armor Class 18** [1]", other)).wrong_source == ["18"]


def test_a_fact_that_comes_late_or_in_too_many_words_is_not() -> None:
    buried = said("word " * 90 + "Armor Class 18 [1]", SHEET)
    assert judge(AC, buried).verdict == "wrong"
    long = said("Armor Class 18 [1]\n" + "word " * 130, SHEET)
    assert judge(AC, long).verdict == "partly"


def test_a_number_is_not_found_inside_another() -> None:
    assert not holds("180 feet, 1,180 gp, 2d18", "18")
    assert holds("a bonus of +18", "18")


def test_the_unknowable_is_right_only_when_it_is_said_to_be() -> None:
    question = AnswerQuestion(table="t", source="sheet", ask="My horse?", unknowable=True)
    assert judge(question, said("Not known: nothing in your sheet says this.")).verdict == "right"
    assert judge(question, said("Your horse is called Bo.")).verdict == "wrong"


def test_the_counted_half_had_its_first_run_and_every_question_has_a_table() -> None:
    tables = {"srd", "digest"}
    text = (HERE / "tables.yaml").read_text(encoding="utf-8")
    for each in answer_sets():
        questions = read_questions(each.file)
        assert len(questions) >= 40
        assert all(q.table in tables or f"  {q.table}:" in text for q in questions)
        assert each.folder != BLIND or standing(each)
