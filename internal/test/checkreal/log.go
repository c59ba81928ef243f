package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"git-ralph/internal/test/oracle"
)

// checkHistory compares what `git-ralph log --all` reports of the plan at its default path with what an independent, plain
// reading of the same commits reports: every task and every event, in every field.
func checkHistory(ctx context.Context, r *report, p *place) error {
	r.begin()
	want, err := oracle.Read(p.mirror, p.env, []string{"ralph/plan.jsonl"})
	if err != nil {
		return err
	}
	res, code, err := p.ralph(ctx, p.mirror, "log", "--all", "--format", "json")
	if err != nil {
		return err
	}
	if code != 0 {
		return errors.New("log --all: " + string(res.Stderr))
	}
	var got oracle.Report
	if err := json.Unmarshal(res.Stdout, &got); err != nil {
		return err
	}
	compareAll(r, "task", want.Tasks, got.Tasks)
	compareAll(r, "event", want.Events, got.Events)
	for _, task := range want.Tasks {
		r.note(task.Status, task.ID)
	}
	r.end("log --all tells what a plain reading tells")
	return nil
}

func compareAll[T any](r *report, what string, want, got []*T) {
	if len(want) != len(got) {
		r.fail("%d %ss, the plain reading finds %d", len(got), what, len(want))
	}
	for i := range min(len(want), len(got)) {
		if reflect.DeepEqual(want[i], got[i]) {
			r.ok()
			continue
		}
		r.fail("%s %d: %s, the plain reading says %s", what, i, asJSON(got[i]), asJSON(want[i]))
	}
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(text)
}
