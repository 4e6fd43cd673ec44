#!/bin/sh
# System packages the tests want, one line each: a command it brings, then its Debian package.
# As root on Debian they are installed; elsewhere a missing one is named and its tests skip themselves.
WANTED="
chromium chromium
redis-server redis-server
rabbitmq-server rabbitmq-server
tesseract tesseract-ocr
pg_ctlcluster postgresql
"
echo "$WANTED" | while read -r command package; do
    [ -n "$command" ] || continue
    command -v "$command" >/dev/null 2>&1 && continue
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "Installing $package for the tests..."
        apt-get install -qq -y --no-install-recommends "$package" >/dev/null ||
            { apt-get update -qq && apt-get install -qq -y --no-install-recommends "$package" >/dev/null; } ||
            echo "Could not install $package: the tests that need $command are skipped."
    else
        echo "No $command here (Debian package: $package): the tests that need it are skipped."
    fi
done
