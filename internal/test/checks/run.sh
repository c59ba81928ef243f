#!/bin/sh
# The gate that a change passes: `make test`, `make lint`, `make race` and `make fuzz` call it, and `make test-dist`.
#
#   run.sh test | lint | race | fuzz | long | dist
#
# A step prints one line; a failed one its whole output as well. The last line is "N passed, N failed",
# in which each Go test and each other step counts one. A step that needs more than Go, git and make runs
# where that is installed; with REQUIRE_ALL=1 its absence is a failure. FUZZTIME is the time, or the
# number of inputs (20000x), that one fuzz target gets.
set -u
cd "$(dirname "$0")/../../.." || exit 1

tags=urfave_cli_no_docs
fuzztime=${FUZZTIME:-20000x}
require_all=${REQUIRE_ALL:-}
cc=$(go env CC)
cc=${cc%% *}
needed_by_tests="jq bash dash busybox zsh fish"
export CGO_ENABLED=0
# The tests that build the programs build them as they ship. All else is built so too, for each package is then compiled once.
GOFLAGS="$(go env GOFLAGS) -trimpath"
export GOFLAGS

passed=0
failed=0
culprits= # names of what failed
work=$(mktemp -d "${TMPDIR:-/tmp}/git-ralph-checks.XXXXXX") || exit 1
memory=
log=$work/log
trap 'rm -rf "$work" ${memory:+"$memory"}' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

have() { command -v "$1" >/dev/null 2>&1; }

# roomy reports whether Linux has 4 GiB of memory to spare, and 2 of them for files in /dev/shm.
roomy() {
	[ "$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo)" -ge 4194304 ] &&
		[ "$(df -Pk /dev/shm | awk 'END { print $4 }')" -ge 2097152 ]
}

# use_memory has the tests keep their repositories in memory where programs may run from there: they write some hundred
# thousand small files, and wait for the disk at each commit. Whoever sets TMPDIR chooses.
use_memory() {
	if [ -n "${TMPDIR:-}" ] || ! roomy 2>/dev/null; then return; fi
	memory=$(mktemp -d /dev/shm/git-ralph-checks.XXXXXX 2>/dev/null) || return
	printf '#!/bin/sh\n' >"$memory/program"
	chmod +x "$memory/program"
	if "$memory/program" 2>/dev/null; then export TMPDIR="$memory"; fi
}

# report VERDICT NAME DETAIL prints the line of a step.
report() { printf '%-4s %-44s %s\n' "$1" "$2" "$3"; }

# step NAME COMMAND… runs one check that passes or fails as a whole.
step() {
	name=$1
	shift
	began=$(date +%s)
	if "$@" >"$log" 2>&1; then
		passed=$((passed + 1))
		report ok "$name" "$(($(date +%s) - began)) s"
	else
		failed=$((failed + 1))
		report FAIL "$name" "$(($(date +%s) - began)) s"
		cat "$log"
		culprits="$culprits ($name)"
	fi
}

# at_once is how many packages are tested at once: while one of them waits, for a lease or a limit to end, others work.
at_once=$(($(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) + 1))

# gotests NAME ARGUMENT… runs go test and counts its tests; packages that do not build count as one failure. Vetting is a
# step of its own. The time limit of a package is there for tests that hang: on a machine that is busy with other things, the
# largest package takes longer than the ten minutes that go test allows.
gotests() {
	name=$1
	shift
	began=$(date +%s)
	status=0
	go test -v -count=1 -vet=off -timeout 40m -p "$at_once" "$@" >"$log" 2>&1 || status=$?
	good=$(grep -c '^ *--- PASS: ' "$log")
	bad=$(grep -c '^ *--- FAIL: ' "$log")
	skipped=$(grep -c '^ *--- SKIP: ' "$log")
	if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
	passed=$((passed + good))
	failed=$((failed + bad))
	detail="$(($(date +%s) - began)) s, $good tests"
	if [ "$skipped" -gt 0 ]; then detail="$detail, $skipped skipped"; fi
	if [ "$status" -eq 0 ]; then
		report ok "$name" "$detail"
	else
		report FAIL "$name" "$detail, $bad failed"
		failures <"$log"
		culprits="$culprits$(sed -n 's/^ *--- FAIL: \([^ ]*\).*/ \1/p' "$log" | tr -d '\n')"
	fi
}

# failures prints what failed tests printed, and what belongs to no test, of the output of go test -v.
failures() {
	awk '
		/^=== (RUN|NAME|CONT|PAUSE) / { test = $3; next }
		/^(panic|fatal error): / { test = "" }
		/^ *--- FAIL: / { test = ""; failed[++n] = $3; print; next }
		/^ *--- (PASS|SKIP): |^(ok|\?) |^PASS$/ { test = ""; next }
		test == "" { print; next }
		{ said[test] = said[test] $0 "\n" }
		END {
			for (i = 1; i <= n; i++) if (failed[i] in said) printf "=== %s\n%s", failed[i], said[failed[i]]
		}'
}

# skip NAME WHY reports a step that this machine cannot run.
skip() {
	if [ -n "$require_all" ]; then
		failed=$((failed + 1))
		report FAIL "$1" "$2"
	else
		report skip "$1" "$2"
	fi
}

# formatted lists the Go files that are not in the house format, and fails if there are any.
formatted() {
	files=$(go tool -modfile=tools.mod gofumpt -l .) || return 1
	[ -z "$files" ] || {
		echo "not formatted (make format):"
		echo "$files"
		return 1
	}
}

# framework prints the packages that call the CLI framework. The shipped tag takes something out of that alone.
framework() {
	# shellcheck disable=SC2016 # the dollars are the template's
	go list -f '{{$p := .ImportPath}}{{range .Imports}}{{if eq . "github.com/urfave/cli/v2"}}{{$p}}{{end}}{{end}}' ./...
}

# concurrent prints the packages of code that starts goroutines: the only ones in which the race detector can find
# something. Tests of a program's start only start processes.
concurrent() {
	grep -rlE --include='*.go' --exclude='*_test.go' '(^|[[:blank:]])go [[:alpha:]_.]+\(|\.Go\(' internal | xargs -n 1 dirname | sort -u | sed 's,^,./,'
}

# other_system GOOS compiles all for another system, as far as vetting needs that: code that nobody runs is not optimised.
other_system() { GOOS=$1 go vet -tags $tags -gcflags='all=-N -l' ./...; }

lint() {
	step "format (gofumpt)" formatted
	step "vet" go vet -tags $tags,agents ./...
	step "vet, tests and builds for windows" other_system windows
	step "vet, tests and builds for darwin" other_system darwin
	step "staticcheck" go tool -modfile=tools.mod staticcheck -tags $tags ./...
	if have shellcheck; then
		# shellcheck disable=SC2046 # the project's own file names, without spaces
		step "shellcheck" shellcheck .ci/run githooks/*-* $(find . -name '*.sh' -not -path './.git/*')
	else
		skip "shellcheck" "shellcheck is not installed"
	fi
}

tests() {
	use_memory
	# Drawn cases allocate much that lives shortly: collecting it more rarely costs some memory and saves CPU time.
	export GOGC="${GOGC:-400}"
	for tool in $needed_by_tests; do
		have "$tool" || skip "tests that need $tool" "$tool is not installed"
	done
	gotests "tests" -tags $tags ./...
}

# race runs what can race under the detector, and the commands as `go install` builds them, without the shipped tag.
race() {
	use_memory
	# shellcheck disable=SC2046 # one import path a word
	gotests "tests, built without the tag" $(framework)
	gotests "commands, built without the tag" -run '^TestScripts$' ./cmd/git-ralph
	if ! have "$cc"; then
		skip "tests with the race detector" "no C compiler"
		return
	fi
	# A process under the detector otherwise sleeps for a second as it ends.
	export CGO_ENABLED=1 GORACE=atexit_sleep_ms=0
	# shellcheck disable=SC2046
	gotests "tests, short, with the race detector" -race -short -tags $tags $(concurrent)
	export CGO_ENABLED=0
}

# fuzz_target TARGET PACKAGE fuzzes one target. A run that ends by the clock in the middle of an input sometimes says so
# as if that were a failure; a real one has written its input down.
fuzz_target() {
	go test -tags $tags -vet=off -run '^$' -fuzz "^$1\$" -fuzztime "$fuzztime" "$2" >"$log.fuzz" 2>&1
	status=$?
	cat "$log.fuzz"
	if [ $status -ne 0 ] && grep -q 'context deadline exceeded' "$log.fuzz" && ! grep -q 'Failing input' "$log.fuzz"; then
		status=0
	fi
	rm -f "$log.fuzz"
	return $status
}

# fuzz runs each target for $fuzztime, one after the other, and tries the laws of merging on plans that nobody drew before.
fuzz() {
	# with -short no draw must show every row of the table, and rapid makes a fifth of the checks
	step "laws of merging, 25,000 merges" go test -short -count=1 -run '^(TestLaws|TestRevert)$' ./internal/merge -rapid.checks=25000
	for found in $(grep -ro --include='*_test.go' '^func Fuzz[[:alnum:]_]*' . | tr ' ' ':' | sort); do
		target=${found##*:}
		step "fuzz $target, $fuzztime" fuzz_target "$target" "$(dirname "${found%%:*}")"
	done
}

# team lets eight clones work and merge for long, with real git.
team() {
	step "eight clones, 200 rounds" go test -tags $tags -timeout 60m -run '^TestTeamOfClones$' ./internal/test/endtoend -rounds 200 -seed "$(date +%s)"
}

# laws tries the laws of merging on a million merges, and on ten thousand teams of clones.
laws() {
	step "laws of merging, 1,000,000 merges" go test -count=1 -timeout 60m -run '^(TestLaws|TestRevert)$' ./internal/merge -rapid.checks=200000
	step "laws of merging, 10,000 teams" go test -count=1 -timeout 60m -run '^(TestConvergence|TestOnePlace)$' ./internal/merge -rapid.checks=50000
}

# long draws the large numbers of cases that `make test` takes a sample of.
long() {
	team
	step "history of 500 drawn repositories" env RALPH_HISTORIES=500 go test -timeout 1h -run TestHistoryAgrees ./internal/test/endtoend
	step "branches in 1000 drawn repositories" env RALPH_HISTORIES=1000 go test -timeout 1h -run TestBranchesOfPlans ./internal/test/endtoend
	step "endings in 1000 drawn repositories" env RALPH_HISTORIES=1000 go test -timeout 1h -run TestEndingsOfPlans ./internal/test/endtoend
	step "what is kept of 300 drawn histories" env RALPH_HISTORIES=300 go test -timeout 1h -run '^(TestKeptHistory|TestNewestEvents)' ./internal/history
	step "what is kept, damaged 2,000 times" env RALPH_DAMAGES=2000 go test -timeout 1h -run TestDamagedFiles ./internal/history
	step "hooks in 2,000 situations" env RALPH_SITUATIONS=2000 go test -timeout 1h -run '^TestHookSituations$' ./internal/install
	step "edits of 5,000 workplans" env RALPH_WORKPLANS=5000 go test -timeout 1h -run '^TestEditAndUndo$' ./internal/workplan/markdown
	step "a State Hub in 1,000 sequences of faults" env RALPH_HUB_RUNS=1000 go test -timeout 1h -run '^TestFaults$' ./internal/hub
	step "1,440 mutations at once" env RALPH_MUTATIONS=20 go test -timeout 1h -run '^TestManyAtOnce$' ./internal/test/endtoend
	step "2,000 mutations among git commands" env RALPH_MUTATIONS=2000 go test -timeout 1h -run TestMutationsAmongGitCommands ./internal/test/endtoend
	step "a night of 200 tasks, killed 20 times" env RALPH_NIGHT=200 go test -tags $tags -timeout 1h -run '^TestNightOfKills$' ./cmd/git-ralph
	step "a run that is killed 300 times" env RALPH_KILLS=300 go test -tags $tags -timeout 1h -run '^TestKillsAnywhere$' ./cmd/git-ralph
	step "teams of 8 builders with 200 tasks, killed 10 times" env RALPH_TEAM="200 10 8" go test -tags $tags -timeout 3h -run '^(TestTeamOfKills|TestTwoTeams)$' ./cmd/git-ralph
	step "workers that are killed 30 times" env RALPH_KILLS=30 go test -tags $tags -timeout 1h -run '^TestKilledWorkersLoseNothing$' ./cmd/git-ralph
	step "what has landed in 1,000 drawn histories" env LANDED_HISTORIES=1000 go test -timeout 1h -run '^TestHistories$' ./internal/landed
	step "orders of claims, a thousand times as many" env GIT_RALPH_SIMULATE=1000 go test -timeout 2h -run '^(TestEveryOrder|TestRandomOrders)$' ./internal/claim
	step "10,000 failures of GitHub between two clones" env GIT_RALPH_GITHUB_FAULTS=10000 go test -timeout 2h -run '^TestFaults$' ./internal/cli/githubcmd
	step "undo of 20,000 changes" go test -count=1 -timeout 60m -run '^TestUndo$' ./internal/merge -rapid.checks=160000
	step "undo and redo in 50,000 histories" go test -count=1 -timeout 60m -run '^TestLogIsLikeAnEditor$' ./internal/undo -rapid.checks=50000
	laws
}

# dist builds a release twice, and tries it out in a Debian without Go.
dist() {
	export GOFLAGS=
	step "make dist, twice: the same bytes" sh internal/test/checks/dist.sh twice "$work"
	if [ "$(id -u)" -ne 0 ] || ! have debootstrap || ! have unshare || [ "$(uname -m)" != x86_64 ]; then
		skip "the release in a clean root" "needs root, debootstrap and unshare, on x86_64"
		return
	fi
	step "a clean root" sh internal/test/checks/dist.sh root "$work"
	for kind in deb archive rpm; do
		step "the $kind in a clean root: works, leaves no trace" unshare -m sh internal/test/checks/dist.sh "$kind" "$work"
	done
}

case ${1:-} in
test) tests ;;
lint) lint ;;
race) race ;;
fuzz) fuzz ;;
long)
	long
	fuzz
	;;
dist) dist ;;
*)
	echo "usage: run.sh test | lint | race | fuzz | long | dist" >&2
	exit 2
	;;
esac

[ -z "$culprits" ] || echo "failed:$culprits"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
