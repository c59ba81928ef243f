package web

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"git-ralph/internal/cli"
	"git-ralph/internal/cli/cardaction"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/view"
)

// A reader makes what is shown of data. Its values come from the query of the request.
type reader func(ctx context.Context, p *place, d *view.Data, query func(string) string) (any, error)

// A viewKind is what a view is made by, and what that takes.
type viewKind struct {
	read    reader
	history bool // it needs the history
	large   bool // it takes much memory while it is made
}

// views returns what the page can ask for, by name.
func views() map[string]viewKind {
	return map[string]viewKind{
		"board": {read: func(_ context.Context, p *place, d *view.Data, query func(string) string) (any, error) {
			return newBoard(p.boardOf(d), view.ParseFilter(query("q"))), nil
		}},
		"task":     {read: readTask, history: true},
		"graph":    {read: readGraph, large: true},
		"timeline": {read: readTimeline, history: true, large: true},
		"burndown": {read: readBurndown, history: true, large: true},
		"moments":  {read: readMoments, history: true},
		"runs": {read: func(_ context.Context, _ *place, d *view.Data, _ func(string) string) (any, error) {
			return newRuns(d), nil
		}},
	}
}

func readTask(ctx context.Context, p *place, d *view.Data, query func(string) string) (any, error) {
	if query("id") == "" {
		return nil, &notFound{"missing id: want that of a task, issue or item"}
	}
	t, ok := d.Task(query("id"))
	if !ok {
		return nil, &notFound{"neither the plan nor its history has " + query("id")}
	}
	err := p.tree.AddReceipts(ctx, &t)
	return newTask(d, &t), err
}

// shown is the JSON of a view: {"version", "moment", "commit", "complete", "warnings", "filter", "view"}.
type shown struct {
	data    *view.Data
	version string
	commit  string // of an older plan
	filter  string // what the page asked for, in the words of the board's filter
	view    any
}

func (s shown) write(p *pieces) {
	all := object{{"version", s.version}, {"moment", timeText(s.data.Moment)}, {"complete", s.data.History != nil}}
	if s.commit != "" {
		all = append(all, member{"commit", s.commit})
	}
	if texts := s.data.Warnings(); texts != nil {
		all = append(all, member{"warnings", texts})
	}
	if err := view.ParseFilter(s.filter).Err(); err != nil {
		all = append(all, member{"filter", err.Error()})
	}
	append(all, member{"view", s.view}).write(p)
}

// view returns what answers requests for a view.
func (s *server) view(v viewKind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.busy.Store(true)
		query := r.URL.Query()
		p, release, err := s.places.get(r.Context(), query.Get("worktree"))
		if err != nil {
			fail(w, err)
			return
		}
		defer release()
		d, version, err := p.dataOf(r.Context(), query.Get("at"), v.history)
		if err != nil {
			fail(w, err)
			return
		}
		value, err := v.of(r.Context(), p, d, query.Get)
		if err != nil {
			fail(w, err)
			return
		}
		reply(w, http.StatusOK, shown{d, version, query.Get("at"), query.Get("q"), value})
	}
}

// of makes a view, one that takes much memory while nobody else does.
func (v viewKind) of(ctx context.Context, p *place, d *view.Data, query func(string) string) (any, error) {
	if v.large {
		p.large.Lock()
		defer p.large.Unlock()
	}
	return v.read(ctx, p, d, query)
}

// isCommitID reports whether a text is the whole id of a commit: the page may name no expression that git would have to search for.
func isCommitID(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// dataOf returns what is known now, or at a commit; see current.
func (p *place) dataOf(ctx context.Context, commit string, history bool) (*view.Data, string, error) {
	now, version, err := p.current(ctx, history || commit != "")
	if commit == "" || err != nil {
		return now, version, err
	}
	if !isCommitID(commit) {
		return nil, "", &notFound{"invalid commit: want its whole id, in hex"}
	}
	p.mu.Lock()
	older := p.at
	p.mu.Unlock()
	if id, _ := git.ParseHash(commit); older == nil || older.Commit != id || older.History != now.History {
		if older, err = p.tree.ReadAt(ctx, commit, now.History); err != nil {
			return nil, "", err
		}
		p.mu.Lock()
		if p.data != nil && p.data.History == older.History { // another history that was read meanwhile is enough
			p.at = older
		}
		p.mu.Unlock()
	}
	return older, version, nil
}

// fail answers with an error, in the words of the commands.
func fail(w http.ResponseWriter, err error) {
	status := http.StatusUnprocessableEntity
	if _, missing := errors.AsType[*notFound](err); missing {
		status = http.StatusNotFound
	}
	messages := messagesOf(err)
	reply(w, status, failure{Error: strings.Join(messages["error"], "\n"), Hint: strings.Join(messages["hint"], "\n")})
}

// messagesOf returns what the commands say of an error, by the sort of message.
func messagesOf(err error) map[string][]string {
	messages := map[string][]string{}
	cli.Report(&term.Env{Message: func(sort, text string) { messages[sort] = append(messages[sort], text) }}, err)
	return messages
}

// about answers with what the page is of.
func (s *server) about(w http.ResponseWriter, r *http.Request) {
	trees, err := s.places.list(r.Context())
	if err != nil {
		fail(w, err)
		return
	}
	reply(w, http.StatusOK, struct {
		Version   string              `json:"version"`
		Write     bool                `json:"write"`
		Worktrees []listedPlace       `json:"worktrees"`
		Actions   []cardaction.Action `json:"actions"`
	}{s.env.BuildVersion(), s.write, trees, cardaction.All()})
}
