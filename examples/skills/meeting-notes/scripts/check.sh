#!/usr/bin/env bash
# Says which parts of meeting notes are missing. Exit code 0: none.
file="$1"
if [ ! -f "$file" ]; then
  echo "There is no file $file." >&2
  exit 2
fi
missing=0
for part in "# " "## Decisions" "## Tasks"; do
  if ! grep -q "^$part" "$file"; then
    echo "missing: $part"
    missing=1
  fi
done
tasks=$(grep -c "^- \[ \] " "$file")
echo "tasks: $tasks"
exit "$missing"
