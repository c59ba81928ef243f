package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
)

// A liveRun is a loop that works in this worktree; the zero one is none.
type liveRun struct {
	name string
	pid  int
	live jsonl.Object // how its agent gets on; see loop.Live
	now  time.Time
}

// liveRun asks the journal. What cannot be told is left out: a status is no place to fail for a log.
func (e *Env) liveRun(ctx context.Context) liveRun {
	st, err := e.open(ctx)
	if err != nil {
		return liveRun{}
	}
	j := journal.Of(st.Repo().GitDir())
	holder, running := j.Running()
	if !running {
		return liveRun{}
	}
	r := liveRun{pid: holder.PID, now: e.Now()}
	if r.name, err = j.Last(); err == nil {
		r.live, _ = j.Live(r.name)
	}
	return r
}

// json returns {"name", "pid", …} and the members of loop.Live, or null.
func (r liveRun) json() string {
	if r.pid == 0 {
		return "null"
	}
	members := []jsonl.Member{{Name: "name", Value: jsonl.Quote(r.name)}, {Name: "pid", Value: jsonl.Value(strconv.Itoa(r.pid))}}
	if r.live.Text() != "" {
		for _, m := range r.live.Members() {
			if m.Name != "name" {
				members = append(members, jsonl.Member{Name: m.Name, Value: m.Value})
			}
		}
	}
	return jsonl.Build(members).Text()
}

// show prints the run below the status.
func (r liveRun) show(env *Env) {
	if r.pid == 0 {
		return
	}
	var t table
	add := func(title, text string) {
		if text != "" {
			t.add(cell{title, faint}, cell{text, plainStyle})
		}
	}
	add("run", fmt.Sprintf("%s, process %d", r.name, r.pid))
	if r.live.Text() != "" {
		add("now", strings.TrimSpace(fmt.Sprintf("%s %s %s", r.member("iteration"), journal.Text(r.live, "stage"), journal.Text(r.live, "id"))))
		if began, err := time.Parse(time.RFC3339, journal.Text(r.live, "began")); err == nil {
			add("since", took(r.now.Sub(began)))
		}
		add("tool", journal.Text(r.live, "tool"))
		add("tokens", r.member("tokens"))
		add("cost", r.member("cost"))
	}
	t.write(env)
}

// member returns a member's text, "" where there is none.
func (r liveRun) member(name string) string {
	value, _ := r.live.Get(name)
	return string(value)
}
