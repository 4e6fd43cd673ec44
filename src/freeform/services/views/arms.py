"""A coat of arms from a name, for a page that runs nothing and fetches nothing: the same name bears
the same arms everywhere. Pure: the digest of the name decides all of it."""

import hashlib
from html import escape

_METALS = ("#e8c35a", "#e9e4d6")
_COLOURS = ("#8f2a1c", "#1d4f7a", "#2d5f37", "#4b2f66", "#2a2a2e", "#7a4f06")
_SHIELD = "M6 6H94V52C94 78 74 94 50 112C26 94 6 78 6 52Z"
_DIVISIONS = (
    "",
    "M50 0H100V120H50Z",
    "M0 0H100V44H0Z",
    "M0 0H100L0 110Z",
    "M50 60L100 120H0Z",
    "M0 38H100V66H0Z",
    "M36 0H64V120H36Z",
    "M0 0H50V50H0ZM50 50H100V120H50Z",
)
_CHARGES = (
    "M50 30L56 46H73L59 56L64 73L50 63L36 73L41 56L27 46H44Z",  # a star
    "M62 32A24 24 0 1 0 62 76A19 19 0 1 1 62 32Z",  # a crescent
    "M44 30H56V44H70V56H56V78H44V56H30V44H44Z",  # a cross
    "M36 76V44L30 34H40V42H46V34H54V42H60V34H70L64 44V76Z",  # a tower
    # a leaf, and waves
    "M50 30C60 42 70 50 62 62C58 68 53 66 52 62L56 78H44L48 62C47 66 42 68 38 62C30 50 40 42 50 30",
    "M28 46Q39 34 50 46T72 46V54Q61 66 50 54T28 54ZM28 64Q39 54 50 64T72 64V70Q61 82 50 70T28 70Z",
    "M50 34C44 26 28 30 30 46C32 60 50 74 50 74C50 74 68 60 70 46C72 30 56 26 50 34Z",  # a heart
    "M50 28L66 52L50 78L34 52Z",  # a lozenge
    "M30 66C30 44 40 36 50 36C60 36 70 44 70 66L76 72H24ZM45 74H55A5 5 0 0 1 45 74Z",  # a bell
    "M58 34A11 11 0 1 0 50 55V80H56V74H62V68H56V55A11 11 0 0 0 58 34Z",  # a key
    "M24 54Q50 26 76 54Q50 82 24 54ZM50 44A10 10 0 1 0 50.1 44Z",  # an eye
)


def coat_of_arms(name: str) -> str:
    """The arms as a drawing of its own, with the name for those who do not see it."""
    seed = hashlib.sha256(name.encode("utf-8", "replace")).digest()
    metal = _METALS[seed[0] % len(_METALS)]
    field = _COLOURS[seed[1] % len(_COLOURS)]
    # Another colour than the field's, whichever is drawn.
    other = _COLOURS[(seed[1] + 1 + seed[2] % (len(_COLOURS) - 1)) % len(_COLOURS)]
    division, charge = _DIVISIONS[seed[3] % len(_DIVISIONS)], _CHARGES[seed[4] % len(_CHARGES)]
    id = f"arms{seed.hex()[:12]}"
    parts = (
        f"<clipPath id='{id}'><path d='{_SHIELD}'/></clipPath>"
        f"<g clip-path='url(#{id})'><path fill='{field}' d='M0 0H100V120H0Z'/>"
        f"<path fill='{other}' d='{division}'/></g>"
        f"<path fill='{metal}' stroke='#1c1a17' stroke-width='1.5' d='{charge}'/>"
        f"<path fill='none' stroke='{metal}' stroke-width='5' d='{_SHIELD}'/>"
        f"<path fill='none' stroke='#1c1a17' stroke-width='1.5' d='{_SHIELD}'/>"
    )
    label = escape(f"The arms of {name}")
    return f"<svg class='arms' viewBox='0 0 100 118' role='img' aria-label='{label}'>{parts}</svg>"
