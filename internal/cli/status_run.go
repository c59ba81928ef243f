package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/loop"
	"git-ralph/internal/store"
)

// A lastRun is the newest run of this worktree, which may be under way; the zero one is none.
type lastRun struct {
	name    string
	pid     int // 0 where it is over
	live    jsonl.Object
	began   jsonl.Object // events of the run; see loop.Event
	outcome jsonl.Object // the last one
	end     jsonl.Object
	wait    jsonl.Object
	count   map[string]int // steps, by what they did, and iterations
	tokens  int
	cost    float64
	now     time.Time
}

// lastRun reads the journal. What it does not hold is left out: a status is no place to fail for a log.
func (e *Env) lastRun(st *store.Store) lastRun {
	j := journal.Of(st.Repo().GitDir())
	name, err := j.Last()
	if err != nil {
		return lastRun{}
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

// add takes up an event.
func (r *lastRun) add(event jsonl.Object) {
	switch loop.Kind(journal.Text(event, "t")) {
	case loop.RunBegan:
		r.began = event
	case loop.IterationBegan:
		r.wait = jsonl.Object{}
	case loop.Waiting:
		r.wait = event
	case loop.RunEnded:
		r.end = event
	case loop.IterationEnded:
		r.outcome = event
		r.count["iterations"]++
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

// waiting returns until when the run waits, and what for; not ok where it does not.
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

// writeJSON writes what the run came to so far, or null.
func (r lastRun) writeJSON(w sink) {
	if r.name == "" {
		w.WriteString("null")
		return
	}
	o := object{sink: w}
	o.str("name", r.name)
	o.strOrNull("agent", textIn(r.began, "agent"))
	o.strOrNull("began", textIn(r.began, "at"))
	o.strOrNull("ended", textIn(r.end, "at"))
	o.strOrNull("why", r.ended())
	o.strOrNull("text", textIn(r.end, "text"))
	for _, name := range [...]string{"iterations", "done", "accepted", "rejected", "killed"} {
		o.value(name, strconv.Itoa(r.count[name]))
	}
	o.value("tokens", strconv.Itoa(r.tokens))
	o.value("cost", strconv.FormatFloat(r.cost, 'f', 4, 64))
	o.member("outcome")
	writeObjectOrNull(w, r.outcome)
	o.member("waiting")
	if until, why, ok := r.waiting(); ok {
		inner := object{sink: w}
		inner.str("until", until.Format(time.RFC3339))
		inner.str("text", why)
		inner.end()
	} else {
		w.WriteString("null")
	}
	o.end()
}

func writeObjectOrNull(w sink, o jsonl.Object) {
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
func (r lastRun) show(env *Env) {
	if r.name == "" {
		return
	}
	var t table
	add := func(title, text string, look style) {
		if text != "" {
			t.add(cell{title, faint}, cell{text, look})
		}
	}
	if r.pid != 0 {
		add("run", strings.TrimSpace("under way since "+r.clock(r.began)+withAgent(r.began)+", process "+strconv.Itoa(r.pid)), plainStyle)
		r.addLive(add)
	} else {
		look := yellow
		if why := loop.Reason(r.ended()); why == loop.Complete || why == loop.Reached {
			look = green
		}
		add("last run", strings.TrimSuffix(r.ended()+": "+firstLineOf(textIn(r.end, "text")), ": "), look)
		add("when", r.clock(r.began)+" to "+r.clock(r.end)+withAgent(r.began), plainStyle)
	}
	add("came to", r.cameTo(), plainStyle)
	add("outcome", r.outcomeText(), plainStyle)
	if until, why, ok := r.waiting(); ok {
		add("waiting", why+" until "+until.Local().Format("15:04"), yellow)
	}
	t.write(env)
}

func (r lastRun) addLive(add func(title, text string, look style)) {
	if r.live.Text() == "" {
		return
	}
	add("now", strings.Join(strings.Fields(numberIn(r.live, "iteration")+" "+textIn(r.live, "stage")+" "+textIn(r.live, "id")), " "), plainStyle)
	if began, err := time.Parse(time.RFC3339, textIn(r.live, "began")); err == nil {
		add("since", took(r.now.Sub(began)), plainStyle)
	}
	add("tool", textIn(r.live, "tool"), plainStyle)
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

// cameTo sums the iterations up.
func (r lastRun) cameTo() string {
	facts := []string{
		plural(r.count["iterations"], "iteration"),
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

// outcomeText says how the last iteration ended: "BUILD t-1a2b: blocked: no key".
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
