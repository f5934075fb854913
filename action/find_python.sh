#!/usr/bin/env bash
# Runs a script of this folder with a Python that is new enough; says what to do if there is none.
# The bash of macOS is 3.2, that of Windows comes with git.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
too_old=""
for name in python3 python python3.14 python3.13 python3.12 python3.11 python3.10 py; do
  # A stub of the Microsoft Store answers to the name and runs nothing; -I keeps the workspace's modules out.
  version=$("$name" -I -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
  if "$name" -I -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    exec "$name" -I -X utf8 "$here/$1"
  fi
  too_old=${too_old:-$version}
done
echo "::error title=sitemap-action::Python 3.10 or newer is needed; ${too_old:-none} was found. Put actions/setup-python before this step."
exit 2
