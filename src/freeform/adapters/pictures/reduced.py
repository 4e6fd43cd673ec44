"""A picture from outside made anew, small: its pixels and nothing else."""

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from freeform.core.errors import BadFile, Unavailable

if TYPE_CHECKING:
    from PIL import Image as Pillow

EDGE, LARGE_EDGE = 384, 1024
MOST_BYTES, MOST_PIXELS = 32 * 1024 * 1024, 50_000_000
READS = ("PNG", "JPEG", "WEBP")
_QUALITY = 86


class MadePicture(NamedTuple):
    """A picture of our own making, as JPEG."""

    content: bytes
    width: int
    height: int


def check_pillow() -> None:
    """Unavailable where no picture can be read on this machine."""
    try:
        import PIL  # noqa: F401
    except ImportError:
        raise Unavailable("pictures need Pillow: pip install 'freeform-rpg[ingest]'") from None


def reduced_picture(content: bytes, file: str, edge: int = EDGE) -> bytes:
    """The middle of it as a square PNG. BadFile where it is no picture we show."""
    with _pixels(content, file, edge) as upright:
        from PIL import Image, ImageOps

        # A face is in the upper half of a tall picture.
        square = ImageOps.fit(upright, (edge, edge), Image.Resampling.LANCZOS, centering=(0.5, 0.2))
        out = io.BytesIO()
        _bare(square).save(out, "PNG", optimize=True)
        return out.getvalue()


def whole_picture(content: bytes, file: str, edge: int = LARGE_EDGE) -> MadePicture:
    """All of it as a JPEG, at most `edge` wide and high. BadFile where it is no picture we show."""
    with _pixels(content, file, edge) as upright:
        from PIL import Image

        upright.thumbnail((edge, edge), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        _bare(upright).save(out, "JPEG", quality=_QUALITY, optimize=True)
        return MadePicture(out.getvalue(), upright.width, upright.height)


def _bare(picture: "Pillow.Image") -> "Pillow.Image":
    """The same without anything that came with it."""
    from PIL import Image

    return Image.frombytes("RGB", picture.size, picture.tobytes())


@contextmanager
def _pixels(content: bytes, file: str, edge: int) -> Iterator["Pillow.Image"]:
    """A picture upright and in plain colours; its size is looked at before it is decoded."""
    check_pillow()
    from PIL import Image, ImageOps

    if len(content) > MOST_BYTES:
        raise BadFile(file, f"the picture is larger than {MOST_BYTES // 1024 // 1024} MB")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=READS) as opened:
                if opened.width * opened.height > MOST_PIXELS:
                    raise BadFile(file, f"the picture has {opened.width} x {opened.height} points")
                opened.draft("RGB", (edge, edge))
                yield ImageOps.exif_transpose(opened).convert("RGB")
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise BadFile(file, "the picture unpacks to far more than it is") from None
    except (OSError, SyntaxError, ValueError):
        raise BadFile(file, "that is no PNG, JPEG or WebP picture") from None
