package loop

import (
	"context"

	"git-ralph/internal/prompt"
	"git-ralph/internal/schedule"
)

// A Preview is what the next iteration would be, or why there is none.
type Preview struct {
	Stage  schedule.Stage
	Prompt string
	Why    Reason
	Text   string
}

// Ready tells why Run would start nothing, if so.
func (l *Loop) Ready(ctx context.Context) (why Reason, text string, err error) {
	s, err := l.look(ctx)
	if err != nil {
		return "", "", err
	}
	why, text = l.over(s)
	return why, text, nil
}

// Preview tells what Run would do first. It starts and changes nothing.
func (l *Loop) Preview(ctx context.Context) (Preview, error) {
	s, err := l.look(ctx)
	if err != nil {
		return Preview{}, err
	}
	if why, text := l.over(s); why != "" {
		return Preview{Why: why, Text: text}, nil
	}
	p, err := prompt.Load(l.Store.Repo().Root(), s.next.Action)
	if err != nil {
		return Preview{}, err
	}
	it := &iteration{Loop: l, before: s}
	values, err := it.values()
	return Preview{Stage: s.next.Action, Prompt: p.Render(values)}, err
}
