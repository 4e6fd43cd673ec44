"""Lines and sentences by someone who had not seen the code: what is cut, and what is shown."""

from pathlib import Path

import pytest
import yaml

from freeform.engine.rules.safety import SafetyLimits

CASES = yaml.safe_load((Path(__file__).parent / "safety_lines.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['line']}: {case['text']}")
def test_a_line_cuts_what_crosses_it_and_nothing_else(case: dict[str, object]) -> None:
    text = str(case["text"])
    shown = SafetyLimits([str(case["line"])], []).allow(text)
    assert (shown != text) == case["cut"]
