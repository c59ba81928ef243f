package proc

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes this process, instead of init, the parent of orphaned descendants. A process that makes a session of
// its own, forks twice and waits for its parent to end can then still be found.
func adoptOrphans() {
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) //nolint:errcheck // with an old kernel, only the group is ended
}

// descendants returns the living processes below this one that are not among others, nor below one that is.
func descendants(others map[int]bool) map[int]bool {
	children := childLister()
	found := map[int]bool{}
	var visit func(parent int)
	visit = func(parent int) {
		for _, p := range children(parent) {
			if !others[p.pid] && !p.ended {
				found[p.pid] = true
				visit(p.pid)
			}
		}
	}
	visit(os.Getpid())
	return found
}

// reapOrphans reaps the adopted children that have ended, others excepted: they were not started here, so nobody else waits
// for them. No child of our own may be ending meanwhile.
func reapOrphans(others map[int]bool) {
	for _, p := range childLister()(os.Getpid()) {
		if p.ended && !others[p.pid] {
			unix.Wait4(p.pid, nil, unix.WNOHANG, nil) //nolint:errcheck // it may have been reaped already
		}
	}
}

// childLister returns a function that lists the children of a process. The kernel knows them, where it was built so
// (CONFIG_PROC_CHILDREN); else they are looked for among all processes of the machine, once.
func childLister() func(parent int) []process {
	if _, err := os.Lstat("/proc/thread-self/children"); err == nil {
		return childrenOf
	}
	return childrenAmongAll()
}

func childrenAmongAll() func(parent int) []process {
	children := map[int][]process{}
	for _, p := range processes() {
		children[p.parent] = append(children[p.parent], p)
	}
	return func(parent int) []process { return children[parent] }
}

// childrenOf lists the children of a process as the kernel knows them.
func childrenOf(parent int) (children []process) {
	for _, pid := range childIDs(parent) {
		if p, found := processOf(pid); found {
			children = append(children, p)
		}
	}
	return children
}

// childIDs reads the children of all threads of a process. A child that goes while they are read may hide the next one, so they are
// read until two readings agree, unless they never stop changing. Without a child there is nothing that could hide one.
func childIDs(parent int) []int {
	dir := "/proc/" + strconv.Itoa(parent) + "/task"
	read := func() (ids []int) {
		threads, _ := readNames(dir) //nolint:errcheck // it has ended, and has no children any more
		for _, thread := range threads {
			list, _ := os.ReadFile(dir + "/" + thread + "/children") //nolint:errcheck // see above
			for id := range strings.FieldsSeq(string(list)) {
				if pid, err := strconv.Atoi(id); err == nil {
					ids = append(ids, pid)
				}
			}
		}
		return ids
	}
	ids := read()
	for tries := 0; tries < 10 && len(ids) > 0; tries++ {
		before := ids
		if ids = read(); slices.Equal(before, ids) {
			break
		}
	}
	return ids
}

// process is one line of the system's table.
type process struct {
	pid, parent, group int
	ended              bool
}

func processes() []process {
	names, err := readNames("/proc")
	if err != nil {
		return nil
	}
	list := make([]process, 0, len(names))
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if p, found := processOf(pid); found {
			list = append(list, p)
		}
	}
	return list
}

// processOf returns a process, unless it has gone.
func processOf(pid int) (p process, found bool) {
	fields := statOf(pid)
	if len(fields) <= 2 {
		return process{}, false
	}
	parent, _ := strconv.Atoi(fields[1])
	group, _ := strconv.Atoi(fields[2])
	return process{pid: pid, parent: parent, group: group, ended: fields[0] == "Z" || fields[0] == "X"}, true
}

func readNames(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// statOf returns the fields of /proc/PID/stat after the program's name, which may contain any character: state, parent, group, …
func statOf(pid int) []string {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return nil
	}
	return strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
}

// startField is the index of the start time, in ticks since boot, among the fields after the program's name.
const startField = 19

// startOf returns when a process started, "" if there is none: the id of the boot, and the ticks since then.
func startOf(pid int) string {
	fields := statOf(pid)
	if len(fields) <= startField || fields[0] == "Z" {
		return ""
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(boot)) + "/" + fields[startField]
}

// remaining lists what is left of a job: members of its group while its leader is the one that was recorded, and
// whatever has the mark in its environment. This process, and what it started, are never among them.
func remaining(id ID, mark string) []int {
	led := id.Alive()
	var left []int
	for _, p := range processes() {
		if p.ended || p.pid == os.Getpid() {
			continue
		}
		if led && p.group == id.PID || marked(p.pid, mark) {
			left = append(left, p.pid)
		}
	}
	return left
}

// marked reports whether a process was started with mark in its environment.
func marked(pid int, mark string) bool {
	if mark == "" {
		return false
	}
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && slices.Contains(strings.Split(string(data), "\x00"), mark)
}

// ancestors returns the process that started this one, the one that started that, and so on.
func ancestors(all []process) map[int]bool {
	parents := make(map[int]int, len(all))
	for _, p := range all {
		parents[p.pid] = p.parent
	}
	found := map[int]bool{}
	for pid := os.Getppid(); pid > 1 && !found[pid]; pid = parents[pid] {
		found[pid] = true
	}
	return found
}

// RunningIn lists the programs of that name that run with one of dirs, or a directory below it, as their working directory. It is not
// ok if that cannot be determined. The program that started this process, and those before it, do not count: they wait for us, as the
// git of `git ralph` does.
func RunningIn(name string, dirs ...string) (running []ID, ok bool) {
	all := processes()
	waiting := ancestors(all)
	for _, p := range all {
		if waiting[p.pid] {
			continue
		}
		comm, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/comm")
		if err != nil || p.ended || strings.TrimSpace(string(comm)) != name {
			continue
		}
		at, err := os.Readlink("/proc/" + strconv.Itoa(p.pid) + "/cwd")
		if err != nil && !os.IsNotExist(err) {
			return nil, false
		}
		if err == nil && slices.ContainsFunc(dirs, func(dir string) bool { return at == dir || strings.HasPrefix(at, dir+"/") }) {
			running = append(running, ID{PID: p.pid, Start: startOf(p.pid)})
		}
	}
	return running, true
}
