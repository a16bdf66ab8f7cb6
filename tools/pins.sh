#!/bin/sh
# Resolves every dependency for all platforms and Python 3.11 and later, and writes both requirements files.
set -eu
[ -x .venv/bin/uv ] || .venv/bin/python -m pip install --quiet uv
compile() { .venv/bin/uv pip compile pyproject.toml --universal --python-version 3.11 --no-header --no-annotate --quiet "$@"; }
{
  echo "# Everything a student or an instructor needs, pinned; the project itself last. Made by \`make pins\`."
  compile
  echo "-e ."
} > requirements.txt
{
  echo "# requirements.txt and what the tests, the linters, the site and the optional extras need. Made by \`make pins\`."
  compile --extra dev --extra site
  echo "-e ."
} > requirements-dev.txt
