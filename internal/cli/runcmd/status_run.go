package runcmd

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/loop"
	"git-ralph/internal/store"
)

// A lastRun is the newest run of this worktree, which may be under way; zero where there is none.
type lastRun struct {
	name    string
	pid     int // 0 where it is over
	live    jsonl.Object
	began   jsonl.Object // events of the run; see loop.Event
	outcome jsonl.Object // the last one
	end     jsonl.Object
	wait    jsonl.Object
	count   map[string]int // steps by their event, and "iterations"
	tokens  int
	cost    float64
	now     time.Time
}

// readLastRun reads the journal. What cannot be read is left out: the status must not fail because of a log.
func readLastRun(e *term.Env, st *store.Store) lastRun {
	j := journal.Of(st.Repo().GitDir())
	name, err := j.Last()
	if err != nil {
		return lastRun{now: e.Now()}
	}
	r := lastRun{name: name, now: e.Now(), count: map[string]int{}}
	if holder, running := j.Running(); running {
		r.pid = holder.PID
		r.live, _ = j.Live(name)
	}
	events, _ := j.Events(name)
	for _, event := range events {
		r.add(event)
	}
	return r
}

// add counts an event.
func (r *lastRun) add(event jsonl.Object) {
	switch loop.Kind(journal.Text(event, "t")) {
	case loop.RunBegan:
		r.began = event
	case loop.IterationBegan:
		r.wait = jsonl.Object{}
		r.count["iterations"]++
	case loop.Waiting:
		r.wait = event
		r.count["iterations"]-- // the iteration that met the limit does not count
	case loop.RunEnded:
		r.end = event
	case loop.IterationEnded:
		r.outcome = event
		tokens, _ := strconv.Atoi(numberIn(event, "tokens"))
		cost, _ := strconv.ParseFloat(numberIn(event, "cost"), 64)
		r.tokens, r.cost = r.tokens+tokens, r.cost+cost
		steps, _ := event.Get("steps")
		list, _ := steps.Elements()
		for _, step := range list {
			if object, err := jsonl.ParseObject(string(step)); err == nil {
				r.count[journal.Text(object, "what")]++
			}
		}
	}
}

// numberIn returns a member as it is written, "" where there is none.
func numberIn(o jsonl.Object, name string) string {
	if o.Text() == "" {
		return ""
	}
	value, _ := o.Get(name)
	return string(value)
}

// waiting returns until when the run waits, and why; ok is false where it does not wait.
func (r lastRun) waiting() (until time.Time, why string, ok bool) {
	if r.wait.Text() == "" || r.pid == 0 {
		return time.Time{}, "", false
	}
	until, err := time.Parse(time.RFC3339, journal.Text(r.wait, "until"))
	return until, journal.Text(r.wait, "text"), err == nil && until.After(r.now)
}

// ended returns why the run is over, "" where it is under way.
func (r lastRun) ended() string {
	switch {
	case r.pid != 0 || r.name == "":
		return ""
	case r.end.Text() == "":
		return "killed"
	}
	return journal.Text(r.end, "why")
}

// liveJSON returns {"name", "pid", …} and the members of loop.Live, or null where no run is under way.
func (r lastRun) liveJSON() string {
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

// writeJSON writes the run with its totals so far, or null.
func (r lastRun) writeJSON(w term.Sink) {
	if r.name == "" {
		w.WriteString("null")
		return
	}
	o := term.Object{Sink: w}
	o.Str("name", r.name)
	o.StrOrNull("agent", textIn(r.began, "agent"))
	o.StrOrNull("began", textIn(r.began, "at"))
	o.StrOrNull("ended", textIn(r.end, "at"))
	o.StrOrNull("why", r.ended())
	o.StrOrNull("text", textIn(r.end, "text"))
	for _, name := range [...]string{"iterations", "done", "accepted", "rejected", "killed"} {
		o.Value(name, strconv.Itoa(r.count[name]))
	}
	o.Value("tokens", strconv.Itoa(r.tokens))
	o.Value("cost", strconv.FormatFloat(r.cost, 'f', 4, 64))
	o.Member("outcome")
	writeObjectOrNull(w, r.outcome)
	o.Member("waiting")
	if until, why, ok := r.waiting(); ok {
		inner := term.Object{Sink: w}
		inner.Str("until", until.Format(time.RFC3339))
		inner.Str("text", why)
		inner.End()
	} else {
		w.WriteString("null")
	}
	o.End()
}

func writeObjectOrNull(w term.Sink, o jsonl.Object) {
	if o.Text() == "" {
		w.WriteString("null")
		return
	}
	w.WriteString(strings.TrimSpace(o.Text()))
}

func textIn(o jsonl.Object, name string) string {
	if o.Text() == "" {
		return ""
	}
	return journal.Text(o, name)
}

// show prints the run below the status.
func (r lastRun) show(env *term.Env) {
	if r.name == "" {
		return
	}
	var t term.Table
	add := func(title, text string, look term.Style) {
		if text != "" {
			t.Add(term.Cell{Text: title, Style: term.Faint}, term.Cell{Text: text, Style: look})
		}
	}
	if r.pid != 0 {
		add("run", strings.TrimSpace("under way since "+r.clock(r.began)+withAgent(r.began)+", process "+strconv.Itoa(r.pid)), term.PlainStyle)
		r.addLive(add)
	} else {
		look := term.Yellow
		if why := loop.Reason(r.ended()); why == loop.Complete || why == loop.Reached {
			look = term.Green
		}
		add("last run", strings.TrimSuffix(r.ended()+": "+term.FirstLineOf(textIn(r.end, "text")), ": "), look)
		add("when", r.clock(r.began)+" to "+r.clock(r.end)+withAgent(r.began), term.PlainStyle)
	}
	add("total", r.totals(), term.PlainStyle)
	add("outcome", r.outcomeText(), term.PlainStyle)
	if until, why, ok := r.waiting(); ok {
		add("waiting", why+" until "+until.Local().Format("15:04"), term.Yellow)
	}
	t.Write(env)
}

func (r lastRun) addLive(add func(title, text string, look term.Style)) {
	if r.live.Text() == "" {
		return
	}
	r.addWorkers(add)
	add("now", strings.Join(strings.Fields(numberIn(r.live, "iteration")+" "+textIn(r.live, "stage")+" "+textIn(r.live, "id")), " "), term.PlainStyle)
	if began, err := time.Parse(time.RFC3339, textIn(r.live, "began")); err == nil {
		add("since", took(r.now.Sub(began)), term.PlainStyle)
	}
	add("tool", textIn(r.live, "tool"), term.PlainStyle)
}

// addWorkers adds a line for each worker of a team.
func (r lastRun) addWorkers(add func(title, text string, look term.Style)) {
	workers, _ := r.live.Get("workers")
	for value := range workers.All() {
		w, err := jsonl.ParseObject(string(value))
		if err != nil {
			continue
		}
		text := textIn(w, "state")
		if stage := textIn(w, "stage"); stage != "" {
			text = strings.Join(strings.Fields(stage+" "+textIn(w, "id")+" "+term.FirstLineOf(textIn(w, "task"))), " ")
		}
		if began, err := time.Parse(time.RFC3339, textIn(w, "began")); err == nil {
			text += " · " + took(r.now.Sub(began))
		}
		if tool := textIn(w, "tool"); tool != "" {
			text += " · > " + tool
		}
		add(textIn(w, "name"), text, term.PlainStyle)
	}
	if numberIn(r.live, "landing") != "" {
		add("queue", fmt.Sprintf("%s to do, %s ready, %s waiting to land, %s landed", numberIn(r.live, "pending"), numberIn(r.live, "ready"),
			numberIn(r.live, "landing"), numberIn(r.live, "landed")), term.PlainStyle)
	}
}

func withAgent(began jsonl.Object) string {
	if agent := textIn(began, "agent"); agent != "" {
		return " with " + agent
	}
	return ""
}

// clock returns when an event happened, without the date where that is today's; "?" for an event that was never written.
func (r lastRun) clock(event jsonl.Object) string {
	at, err := time.Parse(time.RFC3339, textIn(event, "at"))
	if err != nil {
		return "?"
	}
	at, now := at.Local(), r.now.Local()
	if at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}

// totals sums up the iterations.
func (r lastRun) totals() string {
	facts := []string{
		term.Plural(r.count["iterations"], "iteration"),
		fmt.Sprintf("%d done, %d accepted, %d rejected, %d killed", r.count["done"], r.count["accepted"], r.count["rejected"], r.count["killed"]),
	}
	if r.tokens > 0 {
		facts = append(facts, shortCount(r.tokens)+" tokens")
	}
	if r.cost > 0 {
		facts = append(facts, fmt.Sprintf("$%.2f", r.cost))
	}
	return strings.Join(facts, " · ")
}

// outcomeText returns how the last iteration ended: "BUILD t-1a2b: blocked: no key".
func (r lastRun) outcomeText() string {
	if r.outcome.Text() == "" {
		return ""
	}
	what := strings.TrimSpace(textIn(r.outcome, "stage") + " " + textIn(r.outcome, "id"))
	how := textIn(r.outcome, "result")
	if text := onOneLine(textIn(r.outcome, "text")); text != "" {
		how += ": " + text
	}
	return what + ": " + how
}
