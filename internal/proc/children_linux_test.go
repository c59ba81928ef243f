package proc

import (
	"bufio"
	"maps"
	"os"
	"slices"
	"testing"
)

// The children that the kernel lists are those that a search among all processes finds: of this process, whichever of its threads
// started them, of others, orphans, and those that have ended and were not waited for.
func TestChildrenAgree(t *testing.T) {
	if _, err := os.Lstat("/proc/thread-self/children"); err != nil {
		t.Skip("this kernel does not list children")
	}
	j, err := StartJob(Cmd{Name: "sh", Args: []string{"-c", `sleep 100 & (sleep 100 & sleep 100 &) ; (exec sleep 0 &) ; sh -c 'sleep 0 & sleep 100 & exec sleep 100' & echo; wait`}})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if _, err := bufio.NewReader(j.Stdout).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	tree := func(children func(int) []process) map[process]bool {
		found := map[process]bool{}
		var visit func(int)
		visit = func(parent int) {
			for _, p := range children(parent) {
				found[p] = true
				visit(p.pid)
			}
		}
		visit(os.Getpid())
		return found
	}
	for range 1000 { // until no process begins or ends meanwhile
		before, all, after := tree(childrenOf), tree(childrenAmongAll()), tree(childrenOf)
		if len(all) >= 7 && maps.Equal(before, all) && maps.Equal(all, after) {
			return
		}
	}
	t.Errorf("%v\n%v", slices.Collect(maps.Keys(tree(childrenOf))), slices.Collect(maps.Keys(tree(childrenAmongAll()))))
}
