# What the demonstrations with agents share: a throw-away place with our programs, an identity of its own, an empty shop to work in, and how
# a demonstration shows what it does. $1 is the directory of our programs and of scripted-agent.
#
# Knows nothing of the user's git configuration and leaves nothing behind.
# shellcheck shell=sh
set -eu

programs=$(cd "$1" && pwd)
place=$(mktemp -d "${TMPDIR:-/tmp}/git-ralph-demo.XXXXXX")
trap 'rm -rf "$place"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

mkdir "$place/bin" "$place/home" "$place/shop"
cp "$programs/git-ralph" "$programs/git-ralph-merge-driver" "$programs/git-ralph-workplan-parser" "$programs/scripted-agent" "$place/bin/"
export PATH="$place/bin:$PATH" HOME="$place/home" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL="$place/home/gitconfig"
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
git config --global init.defaultBranch main
git config --global user.name "Dana Demo"
git config --global user.email dana@example.com
cd "$place/shop"

title() { printf '\n# %s\n' "$*"; }

# run shows a command and what it prints.
run() {
	printf '$ %s\n' "$*"
	"$@"
}

# expect WHAT WANTED GOT ends the demo when the program's answer is not the one that the story needs.
expect() {
	[ "$2" = "$3" ] || {
		printf 'demo: %s is "%s", not "%s"\n' "$1" "$3" "$2" >&2
		exit 1
	}
}
