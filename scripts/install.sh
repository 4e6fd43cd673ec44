#!/bin/sh
# Installs pinned requirements, every file checked against its hash: with uv, in seconds, or with pip where uv will not.
# Usage: install.sh VENV [--no-deps] -r FILE...
venv=$1
shift
pip="$venv/bin/python -m pip --disable-pip-version-check --no-input"
[ -x "$venv/bin/uv" ] ||
    $pip install --quiet --quiet --require-hashes --only-binary :all: -r requirements/uv.txt 2>/dev/null
# uv does not read pip's settings, so the index and the certificate that pip was given are handed on.
index=${UV_DEFAULT_INDEX:-${UV_INDEX_URL:-${PIP_INDEX_URL:-$($pip config get global.index-url 2>/dev/null)}}}
[ -z "$index" ] || export UV_DEFAULT_INDEX="$index"
[ -z "$PIP_CERT" ] || export SSL_CERT_FILE="${SSL_CERT_FILE:-$PIP_CERT}"
"$venv/bin/uv" pip install --quiet --python "$venv/bin/python" --require-hashes "$@" 2>/dev/null ||
    exec $pip install --quiet --quiet --require-hashes "$@"
