package plan

import (
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// killReasons are why work on a task can have been stopped.
var killReasons = [...]string{"timeout", "context"}

// Kill records that work on a pending task was stopped: why is "timeout" or
// "context", log the path of its log in the journal, or "". The error is ErrNothing
// if this is recorded already.
func (p *Plan) Kill(id, why, log string) (Change, error) {
	if !slices.Contains(killReasons[:], why) {
		return Change{}, &FieldError{Field: "kill", Message: `is "` + why + `", expected "timeout" or "context"`}
	}
	if log != "" && !isLocal(log) {
		return Change{}, &FieldError{Field: "kill_log", Message: `is "` + log + `", expected a path within the journal, such as "12/3.log"`}
	}
	return p.change(func() (Change, error) {
		i, err := p.taskIn("pending", id)
		if err != nil {
			return Change{}, err
		}
		killed := p.records[i].withResolved(jsonl.TextMember("kill", why), jsonl.TextMember("kill_log", log))
		if killed.text == p.records[i].text {
			return Change{}, ErrNothing
		}
		p.records[i] = killed
		e := event(EventKilled, p.records[i], jsonl.TextMember("kill", why))
		return Change{Events: []Event{e}, Records: []Record{p.records[i]}}, nil
	})
}

// isLocal reports whether a slash-separated path stays below the directory that it
// is relative to.
func isLocal(path string) bool {
	return !strings.HasPrefix(path, "/") && !strings.Contains(path, `\`) &&
		!slices.Contains(strings.Split(path, "/"), "..") && !strings.Contains(path, ":")
}

// resetKilled makes tasks pending that are both done and killed, as other tools have left some: work that was stopped is
// not done.
func (p *Plan) resetKilled() Change {
	var c Change
	for i, r := range p.records {
		if r.kind != KindTask || !r.Done() || !strings.Contains(r.text, `"kill"`) || r.Text("kill") == "" {
			continue
		}
		p.records[i] = r.with(jsonl.TextMember("s", "p"), jsonl.TextMember("done_at", ""), jsonl.TextMember("attempt", ""))
		c.Events = append(c.Events, event(EventReopened, r))
		c.Records = append(c.Records, p.records[i])
	}
	return c
}
