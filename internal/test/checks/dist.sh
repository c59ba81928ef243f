#!/bin/sh
# The steps of `make test-dist`, which run.sh calls one after the other with a directory for what they share.
#
#   dist.sh twice WORK        a release, built twice under different conditions, has the same bytes
#   dist.sh root WORK         a new Debian root, with git and without Go
#   dist.sh deb WORK          the Debian package is installed there, used, and purged without a trace
#   dist.sh archive WORK      so is the archive, with install.sh
#   dist.sh rpm WORK          and the RPM package
#
# All but the first need root and debootstrap. GIT_RALPH_ROOT names a root that debootstrap made before, to save the time.
set -eu
step=$1
work=$2
root=$work/root

fail() {
	echo "$*" >&2
	exit 1
}

# --- building twice -------------------------------------------------------------------------------------------

# twice clones the commit to two places and builds there: under another user's mask, time zone, locale, number of processors,
# in a directory with a space in its name, and some seconds later.
twice() {
	git clone -q . "$work/one"
	git clone -q . "$work/another place"
	(cd "$work/one" && umask 022 && TZ=UTC LC_ALL=C make dist)
	(cd "$work/another place" && umask 077 && TZ=Pacific/Auckland LC_ALL=de_DE.UTF-8 GOMAXPROCS=1 GOFLAGS=-tags=another make dist)
	diff -r "$work/one/dist" "$work/another place/dist"
	(cd "$work/one/dist" && sha256sum -c --quiet SHA256SUMS)
	date=$(TZ=UTC git log -1 --format=%cd --date=format-local:%F)
	page=$(tar xzOf "$work"/one/dist/*-linux-amd64.tar.gz --wildcards '*/git-ralph.1')
	case $page in *"$date"*) ;; *) fail "the manual pages do not have the date of the commit, $date" ;; esac
}

# --- a clean root ---------------------------------------------------------------------------------------------

# mirror prints where this machine's apt gets the release of Debian from that it runs.
mirror() {
	# shellcheck disable=SC2016 # the dollars are apt's
	apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(SITE)' 'Created-By: Packages' |
		awk -v wanted="$1" '$1 == wanted && $2 == "main" { print $3; exit }'
}

make_root() {
	if [ -n "${GIT_RALPH_ROOT:-}" ]; then
		cp -a "$GIT_RALPH_ROOT" "$root"
		return
	fi
	suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	debootstrap --variant=minbase --include=git,man-db,bash-completion,rpm "$suite" "$root" "$(mirror "$suite")"
}

# inside runs commands in the root, which are read from standard input, with nothing of our environment.
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 chroot "$root" sh -eu; }

# listing describes every file of the root, with mode, owner and contents, apart from the package managers' own records and man's index.
listing() {
	(
		cd "$root"
		find . \( -path ./proc -o -path ./var/lib/dpkg -o -path ./root/.rpmdb -o -path ./var/cache/man -o -name dpkg.log \) -prune -o \
			-printf '%p %y %#m %U:%G %l\n' | LC_ALL=C sort
		find . \( -path ./proc -o -path ./var/lib/dpkg -o -path ./root/.rpmdb -o -path ./var/cache/man -o -name dpkg.log \) -prune -o \
			-type f -print0 | LC_ALL=C sort -z | xargs -0 cksum
	)
}

# leaves_no_trace COMMAND… runs it, after which the root must be as it was.
leaves_no_trace() {
	mount -t proc proc "$root/proc" # it goes with the mount namespace
	listing >"$work/before"
	"$@"
	listing >"$work/after"
	diff "$work/before" "$work/after"
}

# the_only PATTERN prints the one file of the release that it fits.
the_only() {
	found=$(find "$work/one/dist" -name "$1")
	[ -f "$found" ] || fail "there is no file like $1, or more than one"
	echo "$found"
}

# version prints that of the release.
version() { git -C "$work/one" describe --tags '--match=v[0-9]*' --always --abbrev=12; }

# try_out uses an installed git-ralph: its version, manual, doctor, a merge of two plans through git, and a completion. $1 are
# commands to run first, $2 is where the completions are.
try_out() {
	inside <<EOF
$1
if command -v go; then exit 1; fi
test "\$(git ralph version)" = "git-ralph version $(version)"
man git-ralph | grep -q 'keep the plan of a coding agent in git'
git help ralph | grep -q 'keep the plan of a coding agent in git'
mkdir /tmp/try && cd /tmp/try
git init -q -b main .
git config user.name Robin
git config user.email robin@example.com
mkdir specs && echo "# Shop" >specs/shop.md && git add . && git commit -qm "a shop"
git ralph init --spec specs/shop.md >/dev/null
git ralph task add "Sum the basket" >/dev/null
id=\$(git ralph query tasks --format json | grep -o 't-[0-9a-z]*' | head -n 1)
git switch -q -c other
git ralph task edit "\$id" --notes "on the branch" >/dev/null
git switch -q main
git ralph task edit "\$id" --priority high >/dev/null
git merge -q --no-edit other # both have changed the same line
git ralph task show "\$id" --json | grep -q 'on the branch'
git ralph task show "\$id" --json | grep -q '"high"'
git ralph check
git ralph doctor >doctor.txt
cat doctor.txt
if grep -v '^ok ' doctor.txt | grep git-ralph; then exit 1; fi
git ralph mcp </dev/null # git-ralph-ui
bash -c '. /usr/share/bash-completion/bash_completion; . /usr/share/bash-completion/completions/git; . "\$1/git-ralph"
	COMP_WORDS=(git-ralph task ad) COMP_CWORD=2 COMP_LINE="git-ralph task ad" COMP_POINT=17
	__git_ralph_alone; test "\${COMPREPLY[*]}" = "add "' bash "$2"
cd / && rm -r /tmp/try
EOF
}

# --- what is installed there -----------------------------------------------------------------------------------

deb() {
	cp "$(the_only 'git-ralph_*_amd64.deb')" "$root/tmp/git-ralph.deb"
	try_out 'dpkg -i /tmp/git-ralph.deb' /usr/share/bash-completion/completions
	inside <<'EOF'
dpkg --verify git-ralph
dpkg --purge git-ralph 2>&1 | tee /tmp/said
if grep -i warning /tmp/said; then exit 1; fi
rm /tmp/said /tmp/git-ralph.deb
EOF
}

archive() {
	tar xzf "$(the_only '*-linux-amd64.tar.gz')" -C "$root/tmp"
	for prefix in /root/.local /usr/local; do
		try_out "PATH=\$PATH:$prefix/bin MANPATH=$prefix/share/man:; export MANPATH; cd /tmp/git-ralph-*; ./install.sh --prefix $prefix" \
			$prefix/share/bash-completion/completions
		echo "cd /tmp/git-ralph-*; ./install.sh --prefix $prefix --uninstall" | inside
	done
	rm -r "$root"/tmp/git-ralph-*
}

# Debian's rpm knows of no package here, git among them: that one is named right is read from the package.
rpm_package() {
	cp "$(the_only 'git-ralph-*.x86_64.rpm')" "$root/tmp/git-ralph.rpm"
	inside <<'EOF'
rpm -qp --requires /tmp/git-ralph.rpm | grep '^git >= 2.30$'
rpm -qp --docfiles /tmp/git-ralph.rpm | grep /man1/git-ralph.1.gz
rpm -qp --licensefiles /tmp/git-ralph.rpm | grep /LICENSE
rpm -qpi /tmp/git-ralph.rpm
EOF
	try_out 'rpm -i --nodeps --force-debian /tmp/git-ralph.rpm' /usr/share/bash-completion/completions
	echo 'rpm -V --nodeps git-ralph; rpm -e --nodeps --force-debian git-ralph; rm /tmp/git-ralph.rpm' | inside
}

case $step in
twice) twice ;;
root) make_root ;;
deb) leaves_no_trace deb ;;
archive) leaves_no_trace archive ;;
rpm) leaves_no_trace rpm_package ;;
*) fail "unknown step: $step" ;;
esac
