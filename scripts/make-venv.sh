#!/bin/sh
# Makes the virtual environment, or says what is missing. Usage: make-venv.sh PYTHON FOLDER
python=$1
folder=$2
if [ -z "$python" ]; then
    echo "Freeform RPG needs Python 3.11 or newer with venv and pip." >&2
    echo "On Debian or Ubuntu: apt install python3 python3-venv. On macOS: brew install python." >&2
    echo "If it has an unusual name: make PYTHON=/path/to/python ..." >&2
    exit 1
fi
if [ -x "$folder/bin/python" ] && "$folder/bin/python" -m pip --version >/dev/null 2>&1; then
    exit 0
fi
echo "Making $folder with $("$python" --version)"
exec "$python" -m venv --clear "$folder"
