#!/bin/sh
# Install git ralph from this source tree or unpacked archive, or uninstall it: sh install.sh --help
#
# Everything is built or copied, and staged first, then moved into place by renames within the same file system, so an
# interrupted run leaves either nothing or a complete installation. A manifest lists the installed files.
set -eu

usage() {
	cat <<'EOF'
usage: sh install.sh [--prefix DIR] [--uninstall]

Puts git-ralph and the programs that it and git run, the manual pages and the completions
under DIR. In an unpacked archive of a release they are beside this script; in a source tree
it builds them.
Needs git, and in a source tree a Go toolchain.

  --prefix DIR   where to install (default: $PREFIX, else ~/.local)
  --uninstall    remove what an earlier run put under DIR, and nothing else
  --help         show this text
EOF
}

say() { printf '%s\n' "$*"; }

# fail ERROR [HINT] ends the run.
fail() {
	printf 'install.sh: error: %s\n' "$1" >&2
	[ $# -lt 2 ] || printf 'install.sh: hint: %s\n' "$2" >&2
	exit 1
}

# copy FILE… TARGET copies files and directories. On a full disk cp has an error for each file: the first one says it.
copy() { errors=$(cp -R "$@" 2>&1) || fail "$(say "$errors" | head -n 1)"; }

tags=urfave_cli_no_docs
helpers=libexec/git-ralph # the programs that git-ralph alone calls
completions='bash share/bash-completion/completions/git-ralph
zsh share/zsh/site-functions/_git-ralph
fish share/fish/vendor_conf.d/git-ralph.fish'

# --- the manifest ---------------------------------------------------------------------------------------------
# One entry on each line: "file SUM SIZE PATH" (the POSIX cksum) and "dir PATH", paths relative to the prefix;
# a directory above the prefix that we made has its absolute path.

# sum_of FILE prints "SUM SIZE".
sum_of() { cksum <"$1" | cut -d ' ' -f 1,2; }

# listed PATH reports whether the manifest names that file.
listed() { [ -f "$manifest" ] && cut -d ' ' -f 1,4- "$manifest" | grep -Fqx "file $1"; }

# is_ours SUM SIZE PATH reports whether the file is still as we wrote it.
is_ours() { [ -f "$prefix/$3" ] && [ "$(sum_of "$prefix/$3")" = "$1 $2" ]; }

# --- uninstalling ---------------------------------------------------------------------------------------------

# remove_dirs LIST removes the listed directories that are empty, the deepest first.
remove_dirs() {
	sort -r "$1" | while IFS= read -r dir; do
		case $dir in
		/*) rmdir "$dir" ;;
		.) rmdir "$prefix" ;;
		*) rmdir "$prefix/$dir" ;;
		esac 2>/dev/null || :
	done
}

# drop_dirs MANIFEST removes the directories that it names, those above the prefix last.
drop_dirs() {
	sed -n 's/^dir //p' "$1" | grep -v '^[/.]' >"$work/dirs" || :
	remove_dirs "$work/dirs"
	sed -n 's/^dir //p' "$1" | grep '^[/.]' | sort -u >"$work/dirs" || :
	if grep -Fqx . "$work/dirs"; then rmdir "$prefix" 2>/dev/null || :; fi
	grep '^/' "$work/dirs" >"$work/above" || :
	remove_dirs "$work/above"
}

# remove_installed removes what the manifest names: files that are still as we wrote them, itself, directories left empty.
remove_installed() {
	cp "$manifest" "$work/manifest"
	while read -r kind sum size path; do
		[ "$kind" = file ] || continue
		if is_ours "$sum" "$size" "$path"; then
			rm -f "$prefix/$path"
		elif [ -e "$prefix/$path" ]; then
			say "kept $prefix/$path: it was changed since it was installed"
		fi
	done <"$work/manifest"
	rm -rf "$home"/stage.*
	rm -f "$manifest"
	drop_dirs "$work/manifest"
}

uninstall() {
	[ -f "$manifest" ] || fail "nothing is installed under $prefix" "name the directory that it was installed to: --prefix DIR"
	if grep -qE '^file [0-9]+ [0-9]+ (/|(.*/)?\.\.(/|$))' "$manifest"; then
		fail "$manifest names a file outside $prefix"
	fi
	remove_installed
	say "git ralph is no longer under $prefix"
}

# --- an unpacked archive --------------------------------------------------------------------------------------

# unpacked reports whether the script is in an archive: that says there which platform it is for.
unpacked() { [ -f "$source/PLATFORM" ]; }

# check_platform ends the run where the programs of the archive are for another system or processor. They are not tried out for that:
# a shell takes a program that the system cannot run for a script.
check_platform() {
	system=$(uname -s)
	case $system in
	Linux) system=linux ;;
	Darwin) system=darwin ;;
	esac
	processor=$(uname -m)
	case $processor in
	x86_64) processor=amd64 ;;
	aarch64) processor=arm64 ;;
	esac
	wanted=$(cat "$source/PLATFORM")
	[ "$wanted" = "$system/$processor" ] ||
		fail "this archive is for $wanted, and this system is $system/$processor" "get the archive for $system/$processor, or build from the sources"
}

# copy_archive fills $work/tree from the archive, which has the layout of the prefix.
copy_archive() {
	for path in bin/git-ralph bin/git-ralph-merge-driver "$helpers/git-ralph-ui" "$helpers/git-ralph-workplan-parser" share/man/man1; do
		[ -e "$source/$path" ] || fail "$source/$path is missing" "unpack the archive again"
	done
	version=$("$source/bin/git-ralph" version) || fail "$source/bin/git-ralph does not run here"
	version=${version##* }
	mkdir "$work/tree"
	copy "$source/bin" "$source/libexec" "$source/share" "$work/tree"
}

# --- building -------------------------------------------------------------------------------------------------

check_go() {
	command -v go >/dev/null 2>&1 || fail "go is not installed or not on PATH" "install Go $(wanted_go) or later: https://go.dev/dl/"
	have=$(cd "$source" && go env GOVERSION 2>"$work/err") || fail "go does not run here: $(head -n 1 "$work/err")"
	newer=$(printf '%s\n%s\n' "$(wanted_go)" "${have#go}" | sort -t . -k 1,1n -k 2,2n | head -n 1)
	case $have in
	go[0-9]*)
		[ "$newer" = "$(wanted_go)" ] || fail "$have is too old: Go $(wanted_go) or later is needed" "https://go.dev/dl/"
		;;
	esac
}

# wanted_go prints the version of Go that go.mod requires, as in 1.26.
wanted_go() { sed -n 's/^go \([0-9]*\.[0-9]*\).*/\1/p' "$source/go.mod"; }

# go_build ARGUMENT… PACKAGE builds a program in the source tree.
go_build() {
	(cd "$source" && GOOS='' GOARCH='' CGO_ENABLED=0 go build -trimpath -buildvcs=false "$@") || fail "the program could not be built"
}

# build fills $work/tree with what is to be installed, in the layout of the prefix.
build() {
	version=$(git -C "$source" describe --tags --always --dirty 2>/dev/null || echo dev)
	mkdir -p "$work/tree/bin" "$work/tree/$helpers" "$work/tree/share/man/man1"
	program=$work/tree/bin/git-ralph
	go_build -tags "$tags" -ldflags "-s -w -X main.version=$version" -o "$program" ./cmd/git-ralph
	go_build -tags "$tags" -ldflags "-s -w -X main.version=$version" -o "$program-merge-driver" ./merge-driver
	for name in git-ralph-ui git-ralph-workplan-parser; do
		go_build -tags "$tags" -ldflags "-s -w -X main.version=$version" -o "$work/tree/$helpers/$name" "./cmd/$name"
	done
	go_build -tags "$tags" -ldflags "-X main.version=$version" -o "$work/manpages" ./internal/cli/manpages
	"$work/manpages" "$work/tree/share/man/man1" || fail "the manual pages could not be made"
	say "$completions" | while read -r shell path; do
		mkdir -p "$work/tree/$(dirname "$path")"
		"$program" completion "$shell" >"$work/tree/$path" || exit 1
	done || fail "the completions could not be made"
}

# --- putting in place -----------------------------------------------------------------------------------------

# missing_dirs PATH prints the directories on the absolute PATH that do not exist yet, the topmost first.
missing_dirs() {
	[ -d "$1" ] && return
	missing_dirs "$(dirname "$1")"
	say "$1"
}

# make_dirs makes the directories that the tree needs, and lists in $work/made those that did not exist.
make_dirs() {
	: >"$work/made"
	(cd "$work/tree" && find . -type d) | sed 's|^\.$||; s|^\./||' >"$work/wanted"
	say share/git-ralph >>"$work/wanted"
	sort -u "$work/wanted" | while IFS= read -r dir; do
		missing_dirs "$prefix${dir:+/$dir}" | while IFS= read -r new; do
			case $new in
			"$prefix") say "dir ." ;;
			"$prefix"/*) say "dir ${new#"$prefix"/}" ;;
			*) say "dir $new" ;;
			esac >>"$work/made"
			mkdir "$new" || exit 1
		done || exit 1
	done || fail "cannot write under $prefix" "choose another directory with --prefix DIR"
}

# check_writable ends the run, before anything is moved, where a directory is not writable.
check_writable() {
	while IFS= read -r path; do
		directory=$(dirname "$prefix/$path")
		[ -w "$directory" ] || fail "cannot write in $directory" "choose another directory with --prefix DIR"
	done <"$work/files"
}

# refuse_foreign ends the run where a file that this script did not install has the path of one of ours.
refuse_foreign() {
	while IFS= read -r path; do
		if [ -e "$prefix/$path" ] || [ -L "$prefix/$path" ]; then
			listed "$path" ||
				fail "$prefix/$path exists and was not installed by this script" "move it away, or choose another directory with --prefix DIR"
		fi
	done <"$work/files"
}

# stage copies the tree to the file system of the prefix, so that only renames remain, and writes the new manifest there.
stage() {
	stage=$home/stage.$$
	rm -rf "$home"/stage.*
	copy "$work/tree" "$stage"
	{
		[ ! -f "$manifest" ] || grep '^dir ' "$manifest" || :
		cat "$work/made"
	} | sort -u >"$work/manifest"
	while IFS= read -r path; do
		say "file $(sum_of "$stage/$path") $path" >>"$work/manifest"
	done <"$work/files"
	cp "$work/manifest" "$stage/manifest"
	keep_old
}

# keep_old copies what an upgrade is to replace into the stage, to restore it should a rename fail.
keep_old() {
	[ "$upgrade" = yes ] || return 0
	mkdir "$stage/old"
	cp -p "$manifest" "$stage/old.manifest"
	sed -n 's/^file [0-9]* [0-9]* //p' "$manifest" >"$work/old"
	while IFS= read -r path; do
		[ -f "$prefix/$path" ] || continue
		mkdir -p "$stage/old/$(dirname "$path")"
		cp -p "$prefix/$path" "$stage/old/$path"
	done <"$work/old"
}

# put_back undoes a commit that was not completed.
put_back() {
	if [ "$upgrade" = no ]; then
		[ ! -f "$manifest" ] || remove_installed
		return
	fi
	[ -d "${stage:-}/old" ] || return 0
	while IFS= read -r path; do
		[ ! -f "$stage/old/$path" ] || mv -f "$stage/old/$path" "$prefix/$path"
	done <"$work/old"
	while IFS= read -r path; do
		grep -Fqx "$path" "$work/old" || rm -f "$prefix/$path"
	done <"$work/files"
	mv -f "$stage/old.manifest" "$manifest"
}

# commit moves the staged files to their places. Signals are ignored during these few renames.
commit() {
	trap '' INT TERM HUP
	committing=yes
	[ ! -f "$manifest" ] || cp "$manifest" "$work/before"
	mv -f "$stage/manifest" "$manifest"
	while IFS= read -r path; do
		mv -f "$stage/$path" "$prefix/$path"
	done <"$work/files"
	# Files that an earlier version had and this one lacks are removed.
	[ ! -f "$work/before" ] || while read -r kind sum size path; do
		[ "$kind" = file ] || continue
		grep -Fqx "$path" "$work/files" || { is_ours "$sum" "$size" "$path" && rm -f "$prefix/$path"; } || :
	done <"$work/before"
	rm -rf "$stage"
	committed=yes
}

install() {
	command -v git >/dev/null 2>&1 || fail "git is not installed or not on PATH" "install git 2.30 or later"
	if unpacked; then
		check_platform
		copy_archive
	else
		check_go
		say "building git ralph"
		build
	fi
	(cd "$work/tree" && find . -type f) | sed 's|^\./||' | sort >"$work/files"
	refuse_foreign
	make_dirs
	check_writable
	stage
	commit
	say "git ralph $version is under $prefix"
	advise
}

# advise prints what is still to be set for the shell to find everything.
advise() {
	case ":$PATH:" in
	*":$prefix/bin:"*) ;;
	*) say "add to PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
	esac
	if command -v manpath >/dev/null 2>&1; then
		found=$(PATH="$prefix/bin:$PATH" manpath 2>/dev/null) || found=
		case ":$found:${MANPATH:-}:" in
		*":$prefix/share/man:"*) ;;
		*) say "add to MANPATH: export MANPATH=\"$prefix/share/man:\$MANPATH\"" ;;
		esac
	fi
	case ${SHELL:-} in
	*/zsh) say "for completion in zsh, before compinit: fpath=(\"$prefix/share/zsh/site-functions\" \$fpath)" ;;
	esac
}

# --- the run --------------------------------------------------------------------------------------------------

# clean_up removes the work directory, and what an unfinished installation made.
clean_up() {
	status=$?
	trap '' INT TERM HUP
	if [ "$committed" = no ]; then
		[ "$committing" = no ] || put_back
		rm -rf "${home:?}"/stage.*
		[ ! -f "$work/made" ] || drop_dirs "$work/made"
	fi
	rm -rf "$work"
	exit "$status"
}

prefix=${PREFIX:-${HOME:+$HOME/.local}}
action=install
while [ $# -gt 0 ]; do
	case $1 in
	--prefix)
		case ${2:--} in -*) fail "--prefix needs a directory" "for one that begins with a hyphen, write --prefix=DIR" ;; esac
		prefix=$2
		shift
		;;
	--prefix=*) prefix=${1#--prefix=} ;;
	--uninstall) action=uninstall ;;
	-h | --help)
		usage
		exit 0
		;;
	*)
		printf 'install.sh: error: unknown argument: %s\n' "$1" >&2
		usage >&2
		exit 2
		;;
	esac
	shift
done
[ -n "$prefix" ] || fail "no directory to install to" "name one with --prefix DIR"
case $prefix in
*'
'*) fail "the directory's name holds a line break" ;;
/*) ;;
*) prefix=$(pwd)/$prefix ;;
esac
while [ "$prefix" != "${prefix%/}" ]; do prefix=${prefix%/}; done
[ -n "$prefix" ] || fail "the root directory cannot be the prefix" "name another with --prefix DIR"

# Some systems leave it out of their BusyBox. Without it the manifest would name nothing that can be removed.
command -v cksum >/dev/null 2>&1 || fail "cksum is not installed or not on PATH" "install coreutils"

script=$0 # may be a symbolic link, of links
while [ -h "$script" ]; do
	target=$(readlink "$script") || fail "cannot read the symbolic link $script" "call install.sh by its own path"
	case $target in
	/*) script=$target ;;
	*) script=$(dirname -- "$script")/$target ;;
	esac
done
source=$(CDPATH='' cd -- "$(dirname -- "$script")" && pwd)
home=$prefix/share/git-ralph
manifest=$home/manifest
committing=no
committed=no
upgrade=no
[ ! -f "$manifest" ] || upgrade=yes
work=$(mktemp -d "${TMPDIR:-/tmp}/git-ralph-install.XXXXXX")
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

$action
