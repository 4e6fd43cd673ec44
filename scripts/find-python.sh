#!/bin/sh
# Prints the first Python that is new enough and can make a virtual environment; nothing when there is none.
for name in python3 python3.13 python3.12 python3.11 python3.14 python; do
    if command -v "$name" >/dev/null 2>&1 &&
        "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
        "$name" -c 'import sys; print(sys.executable)'
        exit 0
    fi
done
