"""Whether the numeric engines are held to their plain code paths: `PLAIN_KERNELS=1 make test`.

Int8 and SIMD kernels round differently on different processors. With this set embedder, ear and reader run in plain
numpy wherever a test's own process asks them, as if onnxruntime were not installed, and llama.cpp keeps weights as
they lie in the file. See CONTRIBUTING.md.
"""

import os
import sys

PLAIN_KERNELS = os.environ.get("PLAIN_KERNELS") == "1"


def hold_plain() -> None:
    """From now on nothing in this process finds onnxruntime."""
    sys.modules["onnxruntime"] = None  # type: ignore[assignment]
