"""A picture from outside as a small square PNG of our own making: its pixels and nothing else."""

import io
import warnings

from freeform.core.errors import BadFile, Unavailable

EDGE = 384
MOST_BYTES, MOST_PIXELS = 32 * 1024 * 1024, 50_000_000
READS = ("PNG", "JPEG", "WEBP")


def reduced_picture(content: bytes, file: str, edge: int = EDGE) -> bytes:
    """The middle of it, at most `edge` wide and high. BadFile where it is no picture we show."""
    try:
        from PIL import Image, ImageOps
    except ImportError:
        raise Unavailable("pictures need Pillow: pip install 'freeform-rpg[ingest]'") from None
    if len(content) > MOST_BYTES:
        raise BadFile(file, f"the picture is larger than {MOST_BYTES // 1024 // 1024} MB")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=READS) as opened:
                if opened.width * opened.height > MOST_PIXELS:
                    raise BadFile(file, f"the picture has {opened.width} x {opened.height} points")
                opened.draft("RGB", (edge, edge))
                upright = ImageOps.exif_transpose(opened).convert("RGB")
        # A face is in the upper half of a tall picture.
        square = ImageOps.fit(upright, (edge, edge), Image.Resampling.LANCZOS, centering=(0.5, 0.2))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise BadFile(file, "the picture unpacks to far more than it is") from None
    except (OSError, SyntaxError, ValueError):
        raise BadFile(file, "that is no PNG, JPEG or WebP picture") from None
    out = io.BytesIO()
    Image.frombytes("RGB", square.size, square.tobytes()).save(out, "PNG", optimize=True)
    return out.getvalue()
