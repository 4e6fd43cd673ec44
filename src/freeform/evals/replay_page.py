"""A replay as one page of HTML: no script, no request to anywhere, light and dark, differences
coloured and marked."""

import json
from html import escape
from typing import Any

from freeform.evals.compare import Difference, word_changes
from freeform.evals.replay import ReplayReport, SideBySide

STYLE = """
:root { color-scheme: light dark; --ink: #1d1d1f; --paper: #fbfaf7; --line: #d8d4ca; --gone: #fbd9d3; --new: #d5efd6;
  --soft: #6b675e; --card: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e6df; --paper: #17171a; --line: #3a3934; --gone: #5c2620;
  --new: #1f4a25; --soft: #a19c90; --card: #1f1f23; } }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; font: 16px/1.5 Georgia, serif; color: var(--ink);
  background: var(--paper); }
h1, h2 { line-height: 1.2; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
.scroll { overflow-x: auto; } .soft { color: var(--soft); } .yes { color: #2f7d3b; } .no { color: #b3402f; }
details { margin: .6rem 0; padding: .6rem .9rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--card); }
summary { cursor: pointer; } .sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr));
  gap: 1rem; } .sides p { white-space: pre-wrap; margin: .3rem 0; overflow-wrap: anywhere; }
del { background: var(--gone); text-decoration: line-through; } ins { background: var(--new); text-decoration: none;
  border-bottom: 2px solid; } code { font-size: .85rem; overflow-wrap: anywhere; }
"""


def replay_page(report: ReplayReport) -> str:
    """The whole page."""
    changed, sides = report.changed, {side.turn_no: side for side in report.side_by_side}
    title = f"Replay of {report.campaign}"
    told = (
        f"{len(report.turns)} turns, all the same."
        if not changed
        else f"{len(changed)} of {len(report.turns)} turns differ: {', '.join(map(str, changed))}."
    )
    turns = "".join(
        _turn(turn.turn_no, turn.same, turn.diffs, turn.asked, sides.get(turn.turn_no))
        for turn in report.turns
        if not turn.same or turn.turn_no in sides
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>"
        f"<h1>{escape(title)}</h1><p>{escape(told)}</p>{_overrides(report)}"
        f"{''.join(f'<p class=soft>{escape(note)}</p>' for note in report.notes)}"
        f"<h2>Metrics</h2>{_metrics(report)}<h2>Turns</h2>{turns or '<p>Nothing differs.</p>'}"
        "</main></body></html>\n"
    )


def _overrides(report: ReplayReport) -> str:
    given = report.overrides
    parts = [f"{id} version {version}" for id, version in given.prompts.items()]
    parts += [f"model {given.model}"] if given.model else []
    parts += [f"seed {given.seed}"] if given.seed is not None else []
    return f"<p class=soft>Changed: {escape(', '.join(parts) or 'nothing')}.</p>"


def _metrics(report: ReplayReport) -> str:
    rows = "".join(
        f"<tr><th scope=row>{escape(name)}</th><td>{_figure(report.recorded_metrics.get(name))}</td>"
        f"<td>{_figure(value)}</td></tr>"
        for name, value in report.metrics.items()
    )
    head = (
        "<tr><th scope=col>metric</th><th scope=col>recorded</th><th scope=col>replayed</th></tr>"
    )
    return f"<div class=scroll><table>{head}{rows}</table></div>"


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return escape(", ".join(f"{name} {number}" for name, number in value.items()))
    return "nothing to count" if value is None else escape(str(value))


def _turn(
    number: int, same: bool, diffs: list[Difference], asked: list[str], side: SideBySide | None
) -> str:
    mark = "<span class=yes>same</span>" if same else "<span class=no>differs</span>"
    typed = f" <span class=soft>{escape(side.player_input)}</span>" if side else ""
    anew = f"<p class=soft>Asked anew: {escape(', '.join(asked))}.</p>" if asked else ""
    opened = "" if same else " open"
    prose = _sides(side) if side else ""
    return f"<details{opened}><summary>Turn {number}: {mark}{typed}</summary>{anew}{prose}{_differences(diffs)}</details>"


def _sides(side: SideBySide) -> str:
    runs = word_changes(side.recorded, side.replayed)
    before = "".join(
        f"<del>{escape(t)}</del>" if kind == "gone" else escape(t)
        for kind, t in runs
        if kind != "new"
    )
    after = "".join(
        f"<ins>{escape(t)}</ins>" if kind == "new" else escape(t)
        for kind, t in runs
        if kind != "gone"
    )
    return (
        f"<div class=sides><div><strong>recorded</strong><p>{before}</p></div>"
        f"<div><strong>replayed</strong><p>{after}</p></div></div>"
    )


def _differences(diffs: list[Difference]) -> str:
    rows = "".join(
        f"<tr><td>{escape(diff.part)}</td><td><code>{escape(diff.path)}</code></td>"
        f"<td><del>{_value(diff.recorded)}</del></td><td><ins>{_value(diff.replayed)}</ins></td></tr>"
        for diff in diffs
        if diff.part != "final_text"
    )
    if not rows:
        return ""
    head = "<tr><th scope=col>part</th><th scope=col>where</th><th scope=col>recorded</th><th scope=col>replayed</th></tr>"
    return f"<div class=scroll><table>{head}{rows}</table></div>"


def _value(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"<code>{escape(text[:400])}</code>"
