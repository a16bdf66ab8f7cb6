#!/bin/sh
# Installs the graders that `make bench` compares with, each in a virtual environment of its own under build/rivals/.
# usage: sh bench/rivals/install.sh [PYTHON]
set -eu
python=${1:-python3}
here=$(dirname "$0")
for name in nbgrader otter; do
    target="$here/../../build/rivals/$name"
    "$python" -m venv "$target"
    "$target/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/$name.txt"
    echo "$name is ready"
done
