package hubgate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/hub/target"
	"git-ralph/internal/ownprogram"
	"git-ralph/internal/proc"
	"git-ralph/internal/uiprogram"
)

// sendTimeout is how long a command waits for the hub, and grace how much longer for git-ralph-ui.
const (
	sendTimeout = 5 * time.Second
	grace       = 2 * time.Second
)

// send has git-ralph-ui send the queue, unless the hub failed a moment ago, and warns of what is left.
func (g Gate) send(ctx context.Context, t target.Target) {
	state, err := t.View()
	switch {
	case err != nil:
		g.env.Warn(err.Error())
		return
	case len(state.Queue) == 0:
		return
	case g.env.Now().Before(state.Wait):
		g.warnOfQueue(len(state.Queue), "it could not be reached a moment ago")
		return
	}
	report, err := g.run(ctx)
	switch {
	case err != nil:
		g.warnOfQueue(len(state.Queue), term.FirstLineOf(err.Error()))
	case report.Left > 0:
		g.warnOfQueue(report.Left, report.why())
	}
	for range report.Unknown {
		g.env.Warn(UnknownMilestone)
	}
}

// UnknownMilestone is the warning for a milestone whose reply was lost.
const UnknownMilestone = "whether the State Hub has the milestone is unknown: its reply was lost, and the hub offers no way to read it back; it is not sent twice"

func (g Gate) warnOfQueue(n int, why string) {
	g.env.Warn(fmt.Sprintf("%s for the State Hub wait in the queue: %s", term.Plural(n, "call"), term.Printable(why)))
	g.env.Hint("`git ralph hub sync` sends them")
}

// A Report is what `hub sync` prints as JSON.
type Report struct {
	Sent    int       `json:"sent"`
	Left    int       `json:"left"`
	Unknown []string  `json:"unknown"`
	Refused []Refused `json:"refused"`
	Error   string    `json:"error,omitempty"`
}

// A Refused is a task or workstream that the hub does not take.
type Refused struct {
	ID    string `json:"id"`
	Error string `json:"error"`
}

// why returns the reason why something is left.
func (r Report) why() string {
	if r.Error == "" && len(r.Refused) > 0 {
		return r.Refused[0].ID + ": " + r.Refused[0].Error
	}
	return r.Error
}

// run runs `git-ralph-ui hub sync`.
func (g Gate) run(ctx context.Context) (report Report, err error) {
	own, err := os.Executable()
	if err != nil {
		own = "" // the PATH is left
	}
	path, err := ownprogram.Find(uiprogram.Name, own, g.env.Dir, g.env.Environ)
	if err != nil {
		return report, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, sendTimeout+grace, fmt.Errorf("it took more than %v", sendTimeout))
	defer cancel()
	result, err := proc.Run(ctx, proc.Cmd{
		Name: path, Args: []string{"hub", "sync", "--queued", "--json", "--time-limit", sendTimeout.String()}, Dir: g.env.Dir,
		Env: uiprogram.Environ(g.env.Environ, g.env.BuildVersion()), Group: true,
	})
	if json.Unmarshal(bytes.TrimSpace(result.Stdout), &report) == nil {
		return report, nil // its status says that something is left
	}
	return report, err
}
