#!/bin/sh
# The pipeline in a throw-away place: a team takes three items from the backlog to done. After the research they are two streams, which
# are planned, reviewed and implemented beside each other; one plan is sent back once.
#
#   pipeline.sh DIRECTORY    the directory of our programs and of scripted-agent
set -eu
# shellcheck source=internal/test/demo/place.sh
. "$(dirname "$0")/place.sh"

# document KIND NAME prints the path of a document.
document() { printf 'thoughts/shared/%s/2026-01-01-%s.md' "$1" "$2"; }

# item ID FILE prints what the agent does for one item.
item() {
	research=$(document research "$1")
	cat <<END
BUILD t-$1-triage
  report {"action": "Research Needed", "estimate": "S"}
BUILD t-$1-research
  write $research it is in $2
  report {"artifact": "$research", "files": ["$2"]}
END
}

# work ID FILE prints what the agent does for a stream, which is named after its first item.
work() {
	plan=$(document plans "$1")
	review=$(document reviews "$1")
	cat <<END
BUILD t-$1-plan
  write $plan change $2
  report {"artifact": "$plan"}
BUILD t-$1-plan
  write $plan change $2, and test it
  report {"artifact": "$plan"}
$3
BUILD t-$1-review
  write $review it can be done so
  report {"verdict": "APPROVED", "artifact": "$review"}
BUILD t-$1-implement
  write $2 done
  report {"verdict": "done", "files": ["$2"]}
END
}

title "a shop with three items in the backlog"
git init -q
echo "A shop" >README.md
git add .
git commit -q -m "Begin"
git ralph init --yes >"$place/output" 2>&1
git ralph item add - >"$place/output" 2>&1 <<'END'
[{"id": "w-sum", "number": 41, "name": "Sum the basket"},
 {"id": "w-tax", "number": 42, "name": "Add the tax", "blocked_by": ["w-sum"]},
 {"id": "w-bye", "number": 43, "name": "Say goodbye in the language of the customer"}]
END
{
	item w-sum sum.txt
	item w-tax sum.txt
	item w-bye bye.txt
	work w-sum sum.txt ""
	work w-bye bye.txt 'BUILD t-w-bye-review
  report {"verdict": "NEEDS_ITERATION", "reason": "no test is planned"}'
	printf 'always VERIFY\n  pass\n'
} >"$place/scenario"
git config ralph.agent "scripted-agent '$place/scenario'"
run git ralph item list --text

title "all that it takes, as tasks that wait for each other"
run git ralph pipeline plan 41 42 43 --text

title "a team of the size that the items need; nobody assigns work"
run git ralph team run --roster auto

title "what became of the items"
run git ralph item list --text
expect "the number of items that are done" 3 "$(git ralph item list --text | grep -c ' Done ')"
expect "the number of plans that were sent back" 1 "$(git log --format=%B | grep -c '^Ralph-Event: rejected ')"
run git ls-files thoughts
run git log --first-parent --format='%h %s' -8
run git status --short
run git fsck --strict --no-dangling
