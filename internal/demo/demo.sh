#!/bin/sh
# The main job in a throw-away repository: a plan from its first task to acceptance, and the commits that it made.
#
#   demo.sh PROGRAM
#
# Knows nothing of the user's git configuration and leaves nothing behind.
set -eu

program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
place=$(mktemp -d "${TMPDIR:-/tmp}/git-ralph-demo.XXXXXX")
trap 'rm -rf "$place"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# `git ralph` finds the program under its installed name.
mkdir "$place/bin" "$place/home" "$place/shop"
cp "$program" "$place/bin/git-ralph"
export PATH="$place/bin:$PATH" HOME="$place/home" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL="$place/home/gitconfig"
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
git config --global user.name "Dana Demo"
git config --global user.email dana@example.com
git config --global init.defaultBranch main
cd "$place/shop"

title() { printf '\n# %s\n' "$*"; }

# run shows a command and what it prints.
run() {
	printf '$'
	for word in "$@"; do
		case $word in
		*[!A-Za-z0-9_./:=%-]*) printf " '%s'" "$word" ;;
		*) printf ' %s' "$word" ;;
		esac
	done
	printf '\n'
	"$@"
}

# id_of NAME prints the id of the task with that name.
id_of() {
	git ralph query tasks | tr '{' '\n' | sed -n "s/.*\"id\": *\"\([^\"]*\)\".*\"name\": *\"$1\".*/\1/p" | head -n 1
}

# expect WHAT WANTED GOT ends the demo when the program's answer is not the one that the story needs.
expect() {
	[ "$2" = "$3" ] || {
		printf 'demo: %s is "%s", not "%s"\n' "$1" "$3" "$2" >&2
		exit 1
	}
}

title "a repository with a specification and code that is not finished"
git init -q
mkdir -p ralph/specs
echo "# Checkout: sum the basket, add tax, print the receipt" >ralph/specs/checkout.md
echo "total = 0" >shop.txt
git add .
git commit -q -m "Start the shop"
echo "total = 1  # work in progress, staged" >shop.txt
git add shop.txt
run git status --short

title "a plan"
run git ralph init --spec checkout.md
run git ralph task add "Sum the basket" --accept "an empty basket gives 0"
sum=$(id_of "Sum the basket")
run git ralph task add "Print the receipt" --dep "$sum" --priority high
run git ralph task add "Greet in Latin"
run git ralph query stage
run git ralph query next

title "build, in the order of the dependencies"
run git ralph task "done" "$sum"
run git ralph task "done"
latin=$(id_of "Greet in Latin")
run git ralph task cancel "$latin"
expect "the stage" VERIFY "$(git ralph query stage)"

title "verify: one task falls through, is done again, and all is accepted"
run git ralph task reject "$sum" "a negative price is summed too"
run git ralph query next
run git ralph task "done" "$sum"
run git ralph task accept
expect "the stage" COMPLETE "$(git ralph query stage)"
run git ralph query stage

title "each step was one commit, of the plan alone"
run git log --reverse --format=%s --stat=72 --invert-grep --grep='^Start' --grep='^ralph: merge'
title "with what a flattened history would lose"
run git log -1 --format=%B
title "and the staged work in progress is as it was"
run git status --short
expect "the status" "M  shop.txt" "$(git status --short)"
run git fsck --strict
