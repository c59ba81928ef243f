//go:build !linux

package proc

// Only Linux lets a process adopt orphans and look at others without asking another program.

func adoptOrphans() {}

func reapOrphans(map[int]bool) {}

func descendants(map[int]bool) map[int]bool { return nil }

// remaining lists the leader of a job that is still the one that was recorded; signals to it reach no further.
func remaining(id ID, _ string) []int {
	if !id.Alive() {
		return nil
	}
	return []int{signalTarget(id.PID)}
}

// RunsIn reports whether a program of a name runs with one of dirs, or a directory below it, as its working directory; also
// where that cannot be known, as here.
func RunsIn(string, ...string) bool { return true }
