package main

import (
	"context"
	"encoding/json"
	"fmt"

	"git-ralph/internal/plan"
	"git-ralph/internal/proc"
)

// exitInvalid is the status of a command that met an invalid plan.
const exitInvalid = 5

// counts are the sizes of what a query shows.
type counts struct{ Pending, Done, Issues, Tombstones int }

// program of jq that counts the same things from the file alone.
const countWithJQ = `{
	pending: map(select(.t == "task" and .s == "p")) | length,
	done: map(select(.t == "task" and .s == "d")) | length,
	issues: map(select(.t == "issue")) | length,
	tombstones: map(select(.t == "reject")) | length}`

// checkQueries compares `query --rev` with jq on each plan.
func checkQueries(ctx context.Context, r *report, p *place, plans []*planVersion) error {
	if _, err := proc.LookPath("jq", p.env); err != nil {
		return fmt.Errorf("jq is needed to count independently, and is not installed")
	}
	r.begin()
	path := ""
	for _, v := range plans {
		if v.path != path {
			path = v.path
			if _, err := p.git(ctx, p.mirror, nil, "config", "ralph.plan", path); err != nil {
				return err
			}
		}
		if err := checkQuery(ctx, r, p, v); err != nil {
			return err
		}
	}
	r.end("revisions on which query --rev and jq agree")
	return nil
}

func checkQuery(ctx context.Context, r *report, p *place, v *planVersion) error {
	res, code, err := p.ralph(ctx, p.mirror, "query", "--rev", v.commit)
	if err != nil {
		return err
	}
	want, jqErr := p.countWithJQ(ctx, v.text)
	_, problems := plan.Decode(v.text)
	switch {
	case !problems.Readable():
		if code != exitInvalid {
			r.fail("%s is invalid, but query exits %d", v, code)
			return nil
		}
		r.note("refused as invalid", v.String())
	case v.invalid == "" && code != 0 || v.invalid != "" && code != exitInvalid:
		r.fail("%s: query exits %d: %s", v, code, res.Stderr)
		return nil
	case jqErr != nil:
		r.fail("%s: jq does not read what git-ralph reads: %v", v, jqErr)
		return nil
	default:
		got, err := countShown(res.Stdout)
		if err != nil || got != want {
			r.fail("%s: query shows %+v, jq counts %+v %v", v, got, want, err)
			return nil
		}
	}
	r.ok()
	return nil
}

// countWithJQ counts the records of a plan file.
func (p *place) countWithJQ(ctx context.Context, text string) (counts, error) {
	var c counts
	res, err := proc.Run(ctx, proc.Cmd{Name: "jq", Args: []string{"-s", countWithJQ}, Env: p.env, Stdin: []byte(text)})
	if err == nil {
		err = json.Unmarshal(res.Stdout, &c)
	}
	return c, err
}

// countShown counts what `query` printed.
func countShown(out []byte) (counts, error) {
	var shown struct {
		Tasks              struct{ Pending, Done []json.RawMessage }
		Issues, Tombstones []json.RawMessage
	}
	err := json.Unmarshal(out, &shown)
	return counts{len(shown.Tasks.Pending), len(shown.Tasks.Done), len(shown.Issues), len(shown.Tombstones)}, err
}
