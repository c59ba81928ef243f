package mergedriver

// Commands are all that Command returns, and what it returned before.
func Commands() []string {
	var all []string
	for _, stop := range []bool{false, true} {
		all = append(all, Command(stop), command("", stop))
	}
	return all
}

// Pending is what the name of ours gets behind it for the file that the result
// is written to first.
const Pending = ".ralph"

// Command is what git's setting merge.ralph.driver is to hold, for a shell. The
// driver may be missing, of which the shell says nothing, so that git does then
// as it does without us; it may crash or be killed at any moment. The shell makes the
// pending file, which only the driver's last step takes away. Where it is still
// there, ours is untouched, and git merges plain text, into that file first: a
// full disk must not cut ours short. Git counts conflicts up to 127; above that
// it failed, and ours stays. With stop, a recorded conflict stops the merge.
func Command(stop bool) string {
	return command("command -v git-ralph-merge-driver >/dev/null && ", stop)
}

func command(where string, stop bool) string {
	program := "git-ralph-merge-driver"
	if stop {
		program += " --stop-on-conflict"
	}
	return `true >%A.ralph; ` + where + program + ` %O %A %B %L %P; s=$?; ` +
		`if test -e %A.ralph; then ` +
		`git merge-file -p --marker-size=%L -L ours -L base -L theirs %A %O %B >%A.ralph; s=$?; ` +
		`test $s -lt 128 && mv -f %A.ralph %A || { rm -f %A.ralph; s=1; }; fi; ` +
		`test $s = 0`
}
