"""Other programs' rich text as plain Markdown: tags and editor marks out, words and lists kept."""

import html
import re

_BREAK = re.compile(r"<\s*(br|/p|/div|/h[1-6]|/tr|/blockquote|/ul|/ol|/table)\b[^>]*>", re.I)
_ITEM = re.compile(r"<\s*li\b[^>]*>", re.I)
_STRONG = re.compile(r"<\s*/?\s*(strong|b)\b[^>]*>", re.I)
_CELL = re.compile(r"<\s*/(td|th)\s*>\s*(?=<\s*t)", re.I)
_HEADING = re.compile(r"<\s*h[1-6]\b[^>]*>", re.I)
_TAG = re.compile(r"<[^<>]*>")
_SECRET = re.compile(r"<section[^>]*class=\"[^\"]*secret[^\"]*\"[^>]*>.*?</section>", re.I | re.S)
_LINKED = re.compile(
    r"@(?:UUID|Item|Actor|JournalEntry|Compendium|Embed|Macro)\[[^\]]*\](?:\{([^}]*)\})?"
)
_ENRICHED = re.compile(r"(?:\[\[/?[^\]]*\]\]|&(?:amp;)?Reference\[[^\]]*\])(?:\{([^}]*)\})?")
_REFERENCE = re.compile(r"&(?:amp;)?Reference\[([^\]=|]*)[^\]]*\](?!\{)")
_ROLL = re.compile(r"\[\[/?(?:r|roll|damage|heal|save|check)?\s*([^\]]*)\]\](?!\{)")
_BEYOND = re.compile(r"\[/?(?:spells?|items?|magicItems?|monsters?|conditions?|action|skill|sense|rollable|area|source"
                     r"|basicActions?|wprop|feats?)\]")  # fmt: skip


def plain(text: object, *, secrets: bool = False) -> str:
    """The words of a text that may be HTML. Foundry's secret blocks are left out unless asked
    for."""
    if not isinstance(text, str) or not text.strip():
        return ""
    if not secrets:
        text = _SECRET.sub("", text)
    text = _REFERENCE.sub(r"\1", text)
    text = _LINKED.sub(lambda m: m[1] or "", text)
    text = _ROLL.sub(lambda m: m[1].strip(), text)
    text = _ENRICHED.sub(lambda m: m[1] or "", text)
    text = _BEYOND.sub("", text)
    if "<" in text:
        text = _ITEM.sub("\n- ", text)
        text = _CELL.sub(" | ", text)
        text = _HEADING.sub("\n**", text)
        text = re.sub(r"<\s*/h[1-6]\s*>", "**\n", text, flags=re.I)
        text = _STRONG.sub("**", text)
        text = _TAG.sub("", _BREAK.sub("\n", text))
    text = html.unescape(html.unescape(text)).replace("\xa0", " ").replace("\r", "")
    text = re.sub(r"\*\*\s*\*\*", "", text)
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
