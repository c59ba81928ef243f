#!/bin/sh
# The main job in a throw-away place: two clones change the same plan, pull and rebase merge it by themselves, and the
# history reports what was accepted, rejected and cancelled.
#
#   demo.sh DIRECTORY    the directory of our programs
#
# Knows nothing of the user's git configuration and leaves nothing behind.
set -eu

programs=$(cd "$1" && pwd)
place=$(mktemp -d "${TMPDIR:-/tmp}/git-ralph-demo.XXXXXX")
trap 'rm -rf "$place"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

mkdir "$place/bin" "$place/home"
cp "$programs/git-ralph" "$programs/git-ralph-merge-driver" "$programs/git-ralph-workplan-parser" "$place/bin/"
export PATH="$place/bin:$PATH" HOME="$place/home" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL="$place/home/gitconfig"
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
git config --global init.defaultBranch main
git config --global advice.detachedHead false
cd "$place"

who=demo
title() { printf '\n# %s\n' "$*"; }

# as NAME changes to the clone of that person.
as() {
	who=$1
	cd "$place/$who"
}

# show prints a command as it would be typed.
show() {
	printf '%s$' "$who"
	for word in "$@"; do
		case $word in
		*[!A-Za-z0-9_./:=%-]*) printf " '%s'" "$word" ;;
		*) printf ' %s' "$word" ;;
		esac
	done
	printf '\n'
}

# run shows a command and what it prints.
run() {
	show "$@"
	"$@"
}

# plan shows a command that changes the plan, and the subject of the commit that it made.
plan() {
	show git ralph "$@"
	git ralph "$@" >"$place/output"
	git log -1 --format='%h %s'
}

# person NAME clones the shared repository for NAME.
person() {
	git clone -q shop.git "$1"
	git -C "$1" config user.name "$1"
	git -C "$1" config user.email "$1@example.com"
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

title "dana starts a shop, with a plan, and a specification for it"
git init -q --bare shop.git
person dana 2>/dev/null
as dana
mkdir -p ralph/specs
echo "# Checkout: sum the basket, add tax, print the receipt" >ralph/specs/checkout.md
echo "# Delivery: a label and a date" >ralph/specs/delivery.md
echo "# Refunds: what goes back, and why" >ralph/specs/refunds.md
echo "total = 0" >shop.txt
git add .
git commit -q -m "Start the shop"
plan init --spec checkout.md
plan task add "Sum the basket" --accept "an empty basket gives 0"
plan task add "Print the receipt" --notes "on paper, in the language of the customer"
plan task add "Greet in Latin"
sum=$(id_of "Sum the basket") receipt=$(id_of "Print the receipt") latin=$(id_of "Greet in Latin")
plan task "done" "$sum"
git push -q origin main

title "robin clones it; each clone is told once who merges its plans"
cd "$place" && who=demo
person robin
as robin
show git ralph install
git ralph install >"$place/output"
git config --local --name-only --get-regexp '^(merge|diff)[.]ralph'

title "now both change the same plan. dana:"
as dana
plan task accept "$sum"
plan task edit "$receipt" --notes "on thin paper, in the language of the customer" --priority high
plan task cancel "$latin"
plan task add "Add the tax"
plan set-spec delivery.md
git push -q origin main

title "and robin, who has not pulled since:"
as robin
plan task reject "$sum" "a negative price is summed too"
plan task edit "$receipt" --notes "on paper, in the language of the customer, by the till"
plan task "done" "$latin"
plan task add "Count the coins"
plan set-spec refunds.md

title "robin pulls. git merges the code, git ralph merges the plan; nobody is asked anything"
run git pull --no-rebase --no-edit -q
expect "what git has left to do" "" "$(git status --short)"
run git ralph diff ORIG_HEAD
cat <<'END'

  Sum the basket      accepted by dana, rejected by robin: a rejection of that very attempt wins, the task is back
  Print the receipt   both edits of one note, merged by words, and dana's priority
  Greet in Latin      cancelled by dana, done by robin: the work stays, and that dana removed it is recorded
  the specification   two at once: one is current, the other one is recorded
END

title "two choices are recorded in the plan, for somebody to settle"
run git ralph query conflicts
plan resolve "$latin" --keep
plan resolve spec --value delivery.md
git push -q origin main

title "dana has worked on, and rebases onto that"
as dana
plan task "done" "$receipt"
plan task add "Weigh the parcel"
run git pull --rebase -q
expect "what git has left to do" "" "$(git status --short)"
run git ralph diff ORIG_HEAD

title "what became of every task is read from the commits alone"
plan task "done" "$sum"
plan task accept
run git ralph log --all --format text
run git log --oneline --graph -12

title "a hasty change is taken back by a new commit, whatever came after it"
plan task add "Paint the till"
plan undo
run git ralph report --all
run git fsck --strict
