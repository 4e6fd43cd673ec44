"""The words on whatever is written: what the truth of the evening has for it, else where somebody
who knew something says to look."""

from freeform.forge.cast.things import Prop
from freeform.forge.clues.plot import Plot
from freeform.language.ear import nothing_near
from freeform.language.meaning.natures import nature_of


def writing_on(plot: Plot, prop: Prop) -> str:
    """What one reads there; '' where nothing is written."""
    own = plot.truth.writings.get(prop.role, "")
    if own:
        return plot.grammar.tell(own)
    if prop.matter or not _is_written(prop):
        return ""
    elsewhere = [fact for fact in plot.truth.facts if not fact.core and fact.trace.at != prop.at]
    fact = next((fact for fact in elsewhere if not plot.before(fact)), plot.truth.facts[0])
    spot = plot.grammar.phrase(fact.trace.spot)
    where = plot.grammar.names[f"{fact.trace.at}.in"]
    return plot.grammar.also({"spot": spot, "where": where}).tell(plot.line("margin"))


def _is_written(prop: Prop) -> bool:
    words = prop.name.lower().split()
    return prop.nature == "written" or any(
        nature_of(word, nothing_near) == "written" for word in words[-3:]
    )
