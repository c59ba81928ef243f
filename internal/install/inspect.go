package install

import (
	"context"
	"strings"
)

// Standing is how one item stands.
type Standing struct {
	Item    string
	File    string
	State   State
	Stray   bool    // it is there, and has no business there: git looks elsewhere, or a setting turned it off
	Clashes []Clash // what of the user's is in its way
	Lost    string  // a program that the block names, and that is gone; "" for none
}

// Inspect tells how every item stands: those that Install would write with the same options, and those that are there.
func Inspect(ctx context.Context, o Options) ([]Standing, error) {
	items, err := Items(ctx, o)
	if err != nil {
		return nil, err
	}
	if o.Attributes {
		item, err := Attributes(o.Repo, o.PlanPath)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	all := make([]Standing, len(items))
	for n, i := range items {
		text, err := read(i.File)
		if err != nil {
			return nil, err
		}
		s := Standing{Item: i.Name, File: i.File, Stray: i.Obsolete}
		s.State, s.Clashes = i.Check(text)
		if s.State == Outdated {
			s.Lost = lostProgram(cut(text, i.form).block)
		}
		all[n] = s
	}
	return all, nil
}

// lostProgram finds the program that a block falls back to, and gives it where it is not there any more.
func lostProgram(block string) string {
	_, rest, found := strings.Cut(block, "|| command -v '")
	path, _, _ := strings.Cut(rest, "'")
	if !found || !strings.ContainsAny(path, `/\`) || exists(path) {
		return ""
	}
	return path
}
