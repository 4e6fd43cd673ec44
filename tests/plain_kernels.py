"""Whether the numeric engines are held to their plain code paths: `FREEFORM_PLAIN_KERNELS=1 make test`.

Int8 and SIMD kernels round differently on different processors. With this set the embedder runs in plain numpy
instead of onnxruntime, and llama.cpp keeps weights as they lie in the file. See CONTRIBUTING.md.
"""

import os

PLAIN_KERNELS = os.environ.get("FREEFORM_PLAIN_KERNELS") == "1"
