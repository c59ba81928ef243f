//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"git-ralph/internal/jsonl"
)

// pipelineAgent does tasks of items: it finds two streams, splits what is large, sends a plan back twice, and needs a person once.
const pipelineAgent = `id=$1 out=$2 back=$3
for phase in triage split research plan review implement; do
	case $id in t-*-$phase|t-*-$phase-[0-9]*) break;; esac
done
item=${id#t-} item=${item%%-$phase*}
name=$(git ralph item show "$item" --json | sed -n 's/.*"name": "\([^"]*\)".*/\1/p')
report() { printf '[RALPH_OUTPUT]\n%s\n[/RALPH_OUTPUT]\n' "$1"; }
doc() { mkdir -p thoughts/$phase; echo "$phase of $name$1" >thoughts/$phase/$name.md; }
case $phase in
triage) report '{"action": "Research Needed", "estimate": "S"}';;
split) report '{"items": [{"id": "l", "name": "left", "estimate": "S"}, {"id": "r", "name": "right", "estimate": "S", "blocked_by": ["l"]}]}';;
research)
	if [ $name = four ] && [ ! -e $out/answered ]; then
		git ralph item move "$item" __ESCALATE__ --reason "which format?" >&2
		exit
	fi
	case $name in one|two|left) file=x.go;; right) file=z.go;; *) file=y.go;; esac
	doc; report "{\"artifact\": \"thoughts/research/$name.md\", \"files\": [\"$file\"]}";;
plan)
	doc ", version $(git log --format=%B | grep -c "^Ralph-Event: rejected $id ")"
	report "{\"artifact\": \"thoughts/plan/$name.md\"}";;
review)
	doc
	if [ $name = one ] && [ "$(git log --format=%B | grep -c "^Ralph-Event: rejected t-$item-plan ")" -lt $back ]; then
		report "{\"verdict\": \"NEEDS_ITERATION\", \"reason\": \"no test covers errors\", \"artifact\": \"thoughts/review/$name.md\"}"
	else
		report "{\"verdict\": \"APPROVED\", \"artifact\": \"thoughts/review/$name.md\"}"
	fi;;
implement) mkdir -p src; echo "$name" >src/$name.txt; report "{\"verdict\": \"done\", \"files\": [\"src/$name.txt\"]}";;
esac
`

// pipelineItems are five items, the last of which is too large.
func pipelineItems() string {
	var b strings.Builder
	for i, name := range []string{"one", "two", "three", "four", "five"} {
		size := ""
		if name == "five" {
			size = `"estimate": "L", `
		}
		fmt.Fprintf(&b, `{"t": "item", "id": "w-%d", "number": %d, "name": "%s", "state": "Backlog", %s"created_at": "2026-01-01T00:00:00.%03dZ"}`+"\n", i+1, i+1, name, size, i)
	}
	return b.String()
}

// A pipelineSize is how much a run has to do.
type pipelineSize struct {
	items string // of the plan
	kills int    // of everything at once
	back  int    // how often the plan of the first item is sent back
	asked int    // how often a person is needed
}

// TestPipelineOfKills guards: a group of five items goes from Backlog to Done with a team whose roster is auto, and with a hero, although an
// item is split, a plan is sent back twice, a person is needed once, and everything is killed at once along the way. Both leave the same items
// and documents; nothing lands twice, and nothing is left behind. That takes minutes: GIT_RALPH_PIPELINE_KILLS says how often each run is
// killed, 10 makes what is promised of it. Without it there is one item, whose plan is sent back once, and one kill.
func TestPipelineOfKills(t *testing.T) {
	t.Parallel()
	size := pipelineSize{`{"t": "item", "id": "w-1", "number": 1, "name": "one", "state": "Ready for Plan", "files": ["x.go"], "created_at": "2026-01-01T00:00:00.000Z"}` + "\n", 1, 1, 0}
	items := []string{"GH-1"}
	if text := os.Getenv("GIT_RALPH_PIPELINE_KILLS"); text != "" {
		kills, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("invalid GIT_RALPH_PIPELINE_KILLS %q: %v", text, err)
		}
		size = pipelineSize{pipelineItems(), kills, 2, 1}
		items = []string{"GH-1", "GH-2", "GH-3", "GH-4", "GH-5"}
	}
	left := map[string]string{}
	var mutex sync.Mutex
	t.Run("by", func(t *testing.T) {
		for name, command := range map[string][]string{"team": {"team", "run", "--roster", "auto"}, "hero": {"hero"}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				result := pipelineRun(t, size, append(command, items...))
				mutex.Lock()
				defer mutex.Unlock()
				left[name] = result
			})
		}
	})
	if left["team"] != left["hero"] {
		t.Errorf("the team left\n%s\nand the hero\n%s", left["team"], left["hero"])
	}
}

// pipelineTime is how long one start of a run may take, on a machine that has much else to do.
const pipelineTime = 2 * time.Minute

// pipelineRun takes the items to Done by a command that is killed, and returns what it left.
func pipelineRun(t *testing.T, size pipelineSize, command []string) string {
	t.Helper()
	kills := size.kills
	w := newWorkshop(t, "")
	w.WriteFile("../agent.sh", pipelineAgent)
	said := filepath.Join(w.out, "said-")
	w.WriteFile("../scenario", fmt.Sprintf("always BUILD\n  run sleep 0.1; sh %s {id} %s %d >%s$PPID.{id}; cp %[4]s$PPID.{id} %[4]s{id}\n  cat %[4]s{id}\nalways VERIFY\n  pass\n",
		filepath.Join(w.out, "agent.sh"), w.out, size.back, said))
	w.WriteFile("ralph/plan.jsonl", size.items)
	w.Git("commit", "-q", "-a", "-m", "items")
	stop := w.answer()
	mark := "RALPH_TEST_PIPELINE=" + w.Dir
	w.Env = append(w.Env, mark)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	var log strings.Builder
	for waits := 0; ; {
		b := w.byGit(command...)
		ended := make(chan int, 1)
		go func() { ended <- b.code() }()
		var kill <-chan time.Time
		switch {
		case kills > 0 && size.kills > 1: // anywhere: there is enough to do for all of them
			kill = time.After(time.Duration(300+random.IntN(1500)) * time.Millisecond)
		case kills > 0:
			kill = soonAfterFile(t, said, time.Duration(random.IntN(300))*time.Millisecond)
		}
		code := -1
		select {
		case <-kill:
			killMarked(mark, "", -1, random)
			<-ended
			kills--
		case code = <-ended:
		case <-time.After(pipelineTime):
			t.Errorf("not ended after %v", pipelineTime)
			killMarked(mark, "", -1, random)
			code = <-ended
		}
		fmt.Fprintf(&log, "exit code %d\n%s\n", code, &b.out)
		if code == exitDone || code == exitNothing {
			break
		}
		if waits++; code == -1 {
			waits = 0
		}
		if code != -1 && code != 7 && code != 9 || waits > 3 || t.Failed() {
			t.Errorf("exit code %d, %d times in a row without a kill", code, waits)
			break
		}
	}
	stop()
	if kills > 0 {
		t.Errorf("%d kills were left when all was done", kills)
	}
	left := w.checkPipeline(mark, size)
	if t.Failed() {
		t.Fatalf("%s\n%s", &log, w.ralph("log", "--all", "--format", "text"))
	}
	return left
}

// soonAfterFile sends the time once there is a file whose path begins so, and a while after that.
func soonAfterFile(t *testing.T, path string, after time.Duration) <-chan time.Time {
	came := make(chan time.Time, 1)
	go func() {
		for t.Context().Err() == nil {
			if found, err := filepath.Glob(path + "*"); err == nil && len(found) > 0 {
				time.Sleep(after)
				came <- time.Now()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return came
}

// answer lets a person move an item on that a person is needed for, until it is stopped. A command that meets the locks of killed ones is tried again.
func (w *workshop) answer() (stop func()) {
	person := func(args ...string) (string, error) {
		c := exec.Command(filepath.Join(w.out, "bin", "git-ralph"), args...)
		c.Dir, c.Env = w.Dir, slices.Clone(w.Env)
		out, err := c.Output()
		return string(out), err
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for tick := time.NewTicker(200 * time.Millisecond); ; {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			if out, err := person("item", "list", "--text"); err != nil || !strings.Contains(out, "Human Needed") {
				continue
			}
			os.WriteFile(filepath.Join(w.out, "answered"), nil, 0o666) //nolint:errcheck // it is asked again then
			person("item", "move", "w-4", "Research Needed")           //nolint:errcheck // see above
		}
	}()
	return func() { close(done); <-ended }
}

// checkPipeline looks at what a run left of items that are done, and returns the items with their documents.
func (w *workshop) checkPipeline(mark string, size pipelineSize) string {
	w.t.Helper()
	w.checkLeft(mark)
	messages := w.Git("log", "--format=%B")
	count := func(pattern string) map[string]int {
		n := map[string]int{}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(messages, -1) {
			n[m[1]]++
		}
		return n
	}
	if n := count(`(?m)^Ralph-Event: rejected (\S+) `); len(n) != 1 || n["t-w-1-plan"] != size.back {
		w.t.Errorf("plans were sent back: %v, want that of w-1 %d times", n, size.back)
	}
	if n := strings.Count(messages, `"to": "Human Needed"`); n != size.asked {
		w.t.Errorf("a person was needed %d times", n)
	}
	for id, n := range count(`(?m)^Ralph-Event: accepted (\S+) `) {
		if n != 1 {
			w.t.Errorf("%s was accepted %d times", id, n)
		}
	}
	for id, n := range count(`(?m)^Ralph-Landed: (\S+) `) {
		want := map[string]int{"t-w-1-plan": size.back + 1, "t-w-1-review": size.back + 1}[id]
		if n > max(1, want) {
			w.t.Errorf("%s landed %d times", id, n)
		}
	}
	list, err := jsonl.ParseObject(`{"items": ` + w.ralph("query", "items") + `}`)
	if err != nil {
		w.t.Fatal(err)
	}
	items, _ := list.Get("items")
	var all []string
	for v := range items.All() {
		item, err := jsonl.ParseObject(string(v))
		if err != nil {
			w.t.Fatal(err)
		}
		line := ""
		for _, name := range []string{"name", "state", "estimate", "files", "artifacts"} {
			value, _ := item.Get(name)
			line += fmt.Sprintf("%s %s ", name, value)
		}
		if state, _ := item.Get("state"); state != `"Done"` && !strings.Contains(line, `"five"`) {
			w.t.Errorf("not done: %s", line)
		}
		all = append(all, line)
	}
	slices.Sort(all)
	for file := range strings.Lines(w.Git("ls-tree", "-r", "--name-only", "main", "thoughts", "src")) {
		file = strings.TrimSpace(file)
		all = append(all, file+": "+w.Git("show", "main:"+file))
	}
	return strings.Join(all, "\n")
}
