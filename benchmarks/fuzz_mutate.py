"""Seeded mutation of what is valid: bytes, JSON, text, archives, and values by a schema."""

import io
import json
import random
import zipfile
from typing import Any

DEEP: Any = json.loads("[" * 400 + "]" * 400)
ODD: list[Any] = [
    None, True, -1, 0, 1e308, 10**30, -(10**18), 0.1, "", " ", "\x00", "\u202e", "\ud83d\ude00", "a" * 70_000, "../../etc/passwd",
    "-", "--help", "NaN", "null", "{{x}}", "%s%n", "9" * 400, "a\nb", "١٢٣", [], {}, [[]], {"": {}}, {"a": None}, DEEP,
    ["x"] * 3000, "C:\\x", "CON", "é" * 300, "\u0000\u0001", "<script>", "' or 1=1 --", "1d6+", "\r\nX: y",
]  # fmt: skip
PIECES = [
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"{", b"}", b"[", b"\"", b"\\", b"\n", b": ", b"- ", b"&a *a", b"!!python/object", b"%PDF-1.7",
    b"PK\x03\x04", b"\xc3\x28", b"9" * 40, b"-1", b"nan", b"1e999", b"../", b"\x1b[31m", b"\r", b"\t", b"|", b">-", b"---\n", b"obj", b"endstream",
]  # fmt: skip
TEXTS = (".json", ".jsonl", ".yaml", ".yml", ".md", ".txt", ".html", ".toml")


def mutated(data: bytes, name: str, chance: random.Random) -> bytes:
    """A file that was valid and now may not be."""
    way = chance.random()
    if name.endswith((".zip", ".charx", ".epub")) and way < 0.7:
        return _rezipped(data, chance)
    if name.endswith((".json", ".jsonl")) and way < 0.6:
        return _odd_json(data, chance)
    if name.endswith((".yaml", ".yml", ".md", ".txt", ".toml")) and way < 0.5:
        return _odd_text(data, chance)
    return _odd_bytes(data, chance)


def _odd_bytes(data: bytes, chance: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 16, 64))):
        at = chance.randrange(len(out) + 1) if out else 0
        match chance.randrange(6):
            case 0:
                out[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                out[at : at + chance.choice((1, 8, 200))] = b""
            case 2:
                out[at:at] = chance.choice(PIECES)
            case 3:
                end = at + chance.choice((4, 60, 400))
                out[at:at] = out[at:end]
            case 4:
                del out[at + chance.choice((0, 1, 100)) :]
            case _:
                start = chance.randrange(len(out) + 1) if out else 0
                out[at : at + 20] = out[start : start + 20]
    return bytes(out)


def _odd_json(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n") if data.count(b"\n{") > 0 and data[:1] == b"{" else [data]
    chosen = chance.randrange(len(lines))
    try:
        document = json.loads(lines[chosen])
    except ValueError:
        return _odd_bytes(data, chance)
    for _ in range(chance.choice((1, 1, 2, 5))):
        document = odd_value(document, chance)
    lines[chosen] = json.dumps(document, ensure_ascii=chance.random() < 0.5).encode(
        "utf-8", "surrogatepass"
    )
    return b"\n".join(lines)


def odd_value(value: Any, chance: random.Random) -> Any:
    """The same document with something in it that does not belong there."""
    if isinstance(value, dict) and value and chance.random() < 0.85:
        key = chance.choice(list(value))
        changed = {**value, key: odd_value(value[key], chance)}
        match chance.randrange(8):
            case 0:
                changed.pop(key)
            case 1:
                changed[str(chance.choice(ODD))[:50]] = chance.choice(ODD)
            case _:
                pass
        return changed
    if isinstance(value, list) and value and chance.random() < 0.85:
        at = chance.randrange(len(value))
        return [*value[:at], odd_value(value[at], chance), *value[at + 1 :]]
    return chance.choice(ODD)


def _odd_text(data: bytes, chance: random.Random) -> bytes:
    lines = data.decode("utf-8", "replace").split("\n")
    for _ in range(chance.choice((1, 2, 4))):
        at = chance.randrange(len(lines))
        key, colon, _ = lines[at].partition(":")
        match chance.randrange(6):
            case 0 if colon:
                odd = chance.choice(ODD)
                lines[at] = f"{key}: {odd if isinstance(odd, str) else json.dumps(odd)}"
            case 1:
                lines[at] = " " * chance.randrange(9) + lines[at].strip()
            case 2:
                lines.insert(at, chance.choice(lines))
            case 3:
                del lines[at]
                lines = lines or [""]
            case 4:
                lines[at] = lines[at].replace(" ", "\t", 1) + str(chance.choice(ODD))[:200]
            case _:
                lines[at] = key + colon + " " + chance.choice(("[", "{", "*a", "&a", "!!x", "|", "'", '"', "~", "2020-01-01", "0x1F", "1_000", ".inf"))  # fmt: skip
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _rezipped(data: bytes, chance: random.Random) -> bytes:
    out = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as old:
            files = [(entry.filename, old.read(entry)) for entry in old.infolist()]
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        return _odd_bytes(data, chance)
    at = chance.randrange(len(files)) if files else 0
    with zipfile.ZipFile(out, "w", chance.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_BZIP2))) as new:  # fmt: skip
        for number, (name, content) in enumerate(files):
            if number == at:
                match chance.randrange(4):
                    case 0:
                        name = str(chance.choice(ODD))[:200] or "x"
                    case 1:
                        continue
                    case _:
                        content = mutated(content, name, chance)
            named = name.replace("\x00", "_").encode("utf-8", "replace").decode()
            new.writestr(named or "x", content)
    made = out.getvalue()
    return _odd_bytes(made, chance) if chance.random() < 0.2 else made


def by_schema(
    schema: dict[str, Any], document: dict[str, Any], chance: random.Random, depth: int = 0
) -> Any:
    """A value that fits a JSON schema, about."""
    if "$ref" in schema and depth < 6:
        name = schema["$ref"].rpartition("/")[2]
        return by_schema(document["components"]["schemas"][name], document, chance, depth + 1)
    for way in ("anyOf", "oneOf", "allOf"):
        if schema.get(way):
            return by_schema(chance.choice(schema[way]), document, chance, depth + 1)
    if schema.get("enum"):
        return chance.choice(schema["enum"])
    match schema.get("type"):
        case "object":
            fields = schema.get("properties", {})
            wanted = [n for n in fields if n in schema.get("required", ()) or chance.random() < 0.5]
            return {name: by_schema(fields[name], document, chance, depth + 1) for name in wanted}
        case "array":
            inner = schema.get("items", {})
            return [
                by_schema(inner, document, chance, depth + 1) for _ in range(chance.randrange(3))
            ]
        case "integer" | "number":
            return chance.choice((0, 1, 2, 7, -1, 10**6))
        case "boolean":
            return chance.random() < 0.5
        case "null":
            return None
    return chance.choice(("a", "I look around", "cellar", "neo_seattle", "x", "1d6", "the mill"))
