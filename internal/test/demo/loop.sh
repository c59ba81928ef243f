#!/bin/sh
# The loop in a throw-away place: an agent takes a specification from PLAN to COMPLETE. It is stopped once for taking too
# long, and rejected once.
#
#   loop.sh DIRECTORY    the directory of our programs and of scripted-agent
set -eu
# shellcheck source=internal/test/demo/place.sh
. "$(dirname "$0")/place.sh"

title "a shop without discounts, a specification, and an agent that plays a scenario instead of asking a model"
git init -q
mkdir -p ralph/specs
echo "# Discounts: a table of two, with names, and the best one wins" >ralph/specs/discounts.md
git add .
git commit -q -m "Specify discounts"
start=$(git rev-parse HEAD)
cat >"$place/scenario" <<'END'
PLAN
  say The basket has no discounts yet.
  report {"tasks": [{"id": "t-table", "name": "Table of discounts", "accept": "cat rates.txt names.txt lists two"}, {"id": "t-best", "name": "The best discount wins", "deps": ["t-table"], "accept": "cat best.txt prints 20"}]}
BUILD t-table
  say Reading every receipt of the last ten years first …
  sleep 60s
DECOMPOSE t-table
  report {"tasks": [{"id": "t-rates", "name": "Rates of discounts", "accept": "cat rates.txt prints 10 20"}, {"id": "t-names", "name": "Names of discounts", "deps": ["t-rates"], "accept": "cat names.txt prints two"}]}
BUILD t-rates
  write rates.txt 10 20
  run git add rates.txt && git commit -qm 'Add the rates'
  run git ralph task done
BUILD t-names
  write names.txt summer
  report {"verdict": "done", "summary": "Named the discounts.", "files": ["names.txt"]}
BUILD t-best
  write best.txt 20
  report {"verdict": "done", "summary": "20 is more than 10.", "files": ["best.txt"]}
VERIFY
  pass t-names there is one name, the specification wants two
BUILD t-names
  write names.txt summer, winter
  report {"verdict": "done", "summary": "Added the second name."}
VERIFY
  pass
END
git config ralph.agent "scripted-agent '$place/scenario'"
run git ralph trust --yes
run git ralph plan discounts.md

title "an agent may work for a second and a half, and takes longer"
run git -c ralph.build.timeLimit=1500ms ralph build --max-iterations 1 || [ $? -eq 6 ]

title "decompose, build, verify: one agent after the other, until nothing is left"
run git ralph build
stage=$(git ralph query stage)
[ "$stage" = COMPLETE ] || {
	printf 'demo: the stage is "%s", not "COMPLETE"\n' "$stage" >&2
	exit 1
}

title "what the history tells"
run git ralph log --all --format text
run git log --reverse --format='%h %s' "$start.."
run git status --short
run git fsck --strict
