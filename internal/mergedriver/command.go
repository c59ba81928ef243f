package mergedriver

// Commands returns all command lines that Command returns, and those that it
// returned in former versions.
func Commands() []string {
	var all []string
	for _, stop := range []bool{false, true} {
		all = append(all, Command(stop), command(ifFound, stop, ""), command("", stop, ""))
	}
	return all
}

// PendingSuffix is appended to the name of ours for the file that the result is
// written to first.
const PendingSuffix = ".ralph"

// program is the driver's, and ifFound is what goes before it in a command.
const (
	program = "git-ralph-merge-driver"
	ifFound = "command -v " + program + " >/dev/null && "
)

// Command returns the value of git's setting merge.ralph.driver, a command line for a shell. The driver may be missing, and
// it may crash or be killed at any moment. So the shell creates the pending file, which only the driver's last step removes.
// If it still exists, ours is unchanged, and git merges plain text, with a warning: into that file first, since a full disk
// must not truncate ours. The exit status of git merge-file is the number of conflicts, up to 127; above that it failed, and
// ours stays. With stop, a recorded conflict stops the merge.
func Command(stop bool) string {
	return command(ifFound, stop, `echo "git-ralph: warning: `+program+` is not on PATH, or failed: the plan is merged as plain text" >&2; `)
}

func command(where string, stop bool, warning string) string {
	run := program
	if stop {
		run += " --stop-on-conflict"
	}
	return `true >%A.ralph; ` + where + run + ` %O %A %B %L %P; s=$?; ` +
		`if test -e %A.ralph; then ` + warning +
		`git merge-file -p --marker-size=%L -L ours -L base -L theirs %A %O %B >%A.ralph; s=$?; ` +
		`test $s -lt 128 && mv -f %A.ralph %A || { rm -f %A.ralph; s=1; }; fi; ` +
		`test $s = 0`
}
