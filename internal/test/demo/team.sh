#!/bin/sh
# A team in a throw-away place: four workers take twelve tasks to COMPLETE. One task is rejected, one conflict is returned, one
# worker is killed. Three tasks have checks, which prove them again at the end.
#
#   team.sh DIRECTORY    the directory of our programs and of scripted-agent
set -eu
# shellcheck source=internal/test/demo/place.sh
. "$(dirname "$0")/place.sh"

title "a shop with a plan of twelve tasks"
git init -q
mkdir -p ralph/specs
echo "# Receipts: twelve lines, each from a file of its own" >ralph/specs/receipts.md
echo "receipt" >receipt.txt
git add .
git commit -q -m "Specify receipts"
git ralph init --spec receipts.md --yes >"$place/output" 2>&1
{
	printf '[{"id": "t-head", "name": "Print the head", "check": "grep -q t-head t-head.txt"}'
	for name in sum tax date till shop name rate note thanks; do
		printf ', {"id": "t-%s", "name": "Print the %s", "deps": ["t-head"]}' "$name" "$name"
	done
	printf ', {"id": "t-foot", "name": "Print the foot", "deps": ["t-sum", "t-tax"], "check": "grep -q t-foot t-foot.txt"}'
	printf ', {"id": "t-test", "name": "Print a test", "deps": ["t-foot"], "check": "grep -q t-test t-test.txt"}]\n'
} | git ralph task add - >"$place/output" 2>&1

# t-sum and t-tax write the same line: whoever lands second has a conflict, and merges when the work came back. The agent of t-till
# waits until its worker was killed.
cat >"$place/scenario" <<END
BUILD t-sum
  run touch $place/sum; while [ ! -e $place/tax ]; do sleep 0.05; done
  write receipt.txt the sum
  report {"verdict": "done"}
BUILD t-tax
  run touch $place/tax; while [ ! -e $place/sum ]; do sleep 0.05; done
  write receipt.txt the tax
  report {"verdict": "done"}
BUILD t-till
  run touch $place/working; sleep 30
VERIFY t-note
  pass t-note it is in the wrong language
always BUILD
  run git merge -q --no-edit main >/dev/null 2>&1 || { printf 'the sum\nthe tax\n' >receipt.txt; git commit -qam 'Merge both lines'; }
  run sleep 0.2
  write {id}.txt {id}
  report {"verdict": "done", "files": ["{id}.txt"]}
always VERIFY
  pass
END
git config ralph.checks.allow 'grep -q'
git config ralph.agent "scripted-agent '$place/scenario'"

# One worker is killed while its agent works on t-till.
(
	while [ ! -e "$place/working" ]; do sleep 0.05; done
	worker=$(git ralph claim list --text | sed -n 's/^t-till *working *\([^ ]*\) .*/\1/p')
	pid=$(sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' ".git/ralph/workers/$worker.lock")
	kill -9 "$pid"
) &

title "four workers and an integrator; nobody assigns work"
run git ralph team run builder=3 integrator=1
wait
expect "the stage" COMPLETE "$(git ralph query stage)"
expect "the number of accepted tasks" 12 "$(git log --format=%B | grep -c '^Ralph-Event: accepted ')"
expect "the receipt" "the sum the tax" "$(sort receipt.txt | tr '\n' ' ' | sed 's/ $//')"

title "what checks proved, proved again on the commits that were judged"
run git ralph verify --replay --text
expect "the number of receipts" 3 "$(git ralph verify --replay --dry-run --text | grep -c '^runnable ')"

title "what became of each task, and what is left"
sed -n '/^| task/,$p' .git/ralph/runs/*/report.md
run git log --first-parent --format='%h %s'
run git ralph work clean --text
run git status --short
run git fsck --strict --no-dangling
