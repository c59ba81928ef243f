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

// views returns what the page can ask for, by name.
func views() map[string]reader {
	return map[string]reader{
		"board": func(_ context.Context, p *place, d *view.Data, query func(string) string) (any, error) {
			return newBoard(p.boardOf(d), view.ParseFilter(query("q"))), nil
		},
		"task":     readTask,
		"graph":    readGraph,
		"timeline": readTimeline,
		"burndown": readBurndown,
		"moments": func(_ context.Context, _ *place, d *view.Data, _ func(string) string) (any, error) {
			return newMoments(d), nil
		},
		"runs": func(_ context.Context, _ *place, d *view.Data, _ func(string) string) (any, error) {
			return newRuns(d), nil
		},
	}
}

func readTask(ctx context.Context, p *place, d *view.Data, query func(string) string) (any, error) {
	t, ok := d.Task(query("id"))
	if !ok {
		return nil, &notFound{"neither the plan nor its history has " + query("id")}
	}
	err := p.tree.AddReceipts(ctx, &t)
	return newTask(d, &t), err
}

// shown is the JSON of a view.
type shown struct {
	Version  string   `json:"version"`
	Moment   string   `json:"moment"`
	Commit   string   `json:"commit,omitempty"` // of an older plan
	Complete bool     `json:"complete"`         // the history was read
	Warnings []string `json:"warnings,omitempty"`
	View     any      `json:"view"`
}

// view returns what answers requests for a view.
func (s *server) view(read reader) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.busy.Store(true)
		query := r.URL.Query()
		p, err := s.places.get(r.Context(), query.Get("worktree"))
		if err != nil {
			fail(w, err)
			return
		}
		d, version, err := p.dataOf(r.Context(), query.Get("at"))
		if err != nil {
			fail(w, err)
			return
		}
		value, err := read(r.Context(), p, d, query.Get)
		if err != nil {
			fail(w, err)
			return
		}
		one := shown{Version: version, Moment: timeText(d.Moment), Commit: query.Get("at"), Complete: d.History != nil, Warnings: d.Warnings(), View: value}
		reply(w, http.StatusOK, one)
	}
}

// isCommitID reports whether a text is the whole id of a commit: the page may name no expression that git would have to search for.
func isCommitID(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// dataOf returns what is known now, or at a commit.
func (p *place) dataOf(ctx context.Context, commit string) (*view.Data, string, error) {
	now, version, err := p.current()
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
		p.at = older
		p.mu.Unlock()
	}
	return older, version, nil
}

// fail answers with an error, in the words of the commands.
func fail(w http.ResponseWriter, err error) {
	status, messages := http.StatusUnprocessableEntity, map[string][]string{}
	if _, missing := errors.AsType[*notFound](err); missing {
		status = http.StatusNotFound
	}
	cli.Report(&term.Env{Message: func(sort, text string) { messages[sort] = append(messages[sort], text) }}, err)
	reply(w, status, failure{Error: strings.Join(messages["error"], "\n"), Hint: strings.Join(messages["hint"], "\n")})
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
