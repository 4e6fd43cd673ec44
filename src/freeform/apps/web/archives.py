"""Folders as archives."""

import zipfile
from pathlib import Path


def zipped(folder: Path, to: Path, top: str) -> None:
    """The files of a folder as a zip, under one folder named `top`."""
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as zip:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                zip.write(file, f"{top}/{file.relative_to(folder).as_posix()}")
