#!/usr/bin/env bash
# Make the environment and install storyworld into it from one lock file: VENV=.venv PYTHON=python3 tools/setup.sh LOCK
#
# Every download is checked against a hash of the lock file. Where the system's Python lacks `ensurepip` (Debian packs it
# apart), the environment is made without pip and the system's pip installs into it from outside.
set -euo pipefail
lock=$1
venv=${VENV:-.venv}

say() { printf 'setup: %s\n' "$*" >&2; }

find_python() {
    local candidate
    for candidate in ${PYTHON:-python3.11 python3 python3.12 python3.13 python3.14}; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s' "$candidate"
            return
        fi
    done
    say "no Python 3.11 or newer was found (tried: ${PYTHON:-python3.11, python3, python3.12 to python3.14})."
    say "Install one, or name it: make PYTHON=/path/to/python3.11"
    exit 2
}

if [ ! -x "$venv/bin/python" ]; then
    python=$(find_python)
    say "making the environment $venv with $("$python" --version)"
    if "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        "$python" -m venv "$venv"
    else
        "$python" -m venv --without-pip "$venv"
    fi
fi

if "$venv/bin/python" -c 'import pip' 2>/dev/null; then
    pip=("$venv/bin/python" -m pip)
else
    python=$(find_python)
    if ! "$python" -m pip --version >/dev/null 2>&1; then
        say "$python has neither ensurepip nor pip. On Debian: apt-get install python3-venv (or python3-pip)"
        exit 2
    fi
    pip=("$python" -m pip --python "$venv/bin/python")
fi

install=(install --quiet --disable-pip-version-check --no-input)
say "installing $lock"
"${pip[@]}" "${install[@]}" --require-hashes --no-deps --requirement "$lock"
"${pip[@]}" "${install[@]}" --no-deps --no-build-isolation --editable .
