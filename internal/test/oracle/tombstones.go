package oracle

import (
	"slices"
	"strings"
)

// tombstone finds the last tombstone of the current attempt of a task.
func tombstone(old, now *plan, task record) record {
	var found record
	for _, p := range []*plan{old, now} {
		for _, stone := range p.all("reject", task.text("id")) {
			if task.text("done_at")+task.text("attempt") != "" && stone.text("done_at")+stone.text("attempt") != "" && sameAttempt(stone.text("attempt"), stone.text("done_at"), task.text("attempt"), task.text("done_at")) {
				found = stone
			}
		}
	}
	return found
}

// rejections adds the events of new tombstones. One whose reason was corrected replaces one of the same attempt.
func rejections(old, now *plan, add func(recording)) {
	kinds := func(r record) string {
		return strings.Join([]string{r.text("id"), r.text("done_at"), r.text("reason"), r.text("attempt")}, "\x00")
	}
	here, gone := stonesOf(now), stonesOf(old)
	var fresh []record
	for _, r := range here {
		at := slices.IndexFunc(gone, func(o record) bool { return kinds(o) == kinds(r) })
		if at >= 0 {
			gone = slices.Delete(gone, at, at+1)
			continue
		}
		fresh = append(fresh, r)
	}
	for _, r := range fresh {
		t := recording{event: "rejected", kind: "task", id: r.text("id"), attempt: r.text("attempt"), doneAt: r.text("done_at"), reason: r.text("reason")}
		task := now.get("task", t.id)
		if task == nil {
			task = old.get("task", t.id)
		}
		t.after, t.loose, t.born = task, task == nil, task.text("created_at")
		stands := func(p *plan) bool {
			is := p.get("task", t.id)
			return is.done() && is.text("done_at")+is.text("attempt") != "" && t.doneAt+t.attempt != "" &&
				sameAttempt(is.text("attempt"), is.text("done_at"), t.attempt, t.doneAt)
		}
		t.anew = stands(old) && !stands(now)
		corrected := slices.IndexFunc(gone, func(o record) bool {
			return o.text("id") == t.id && t.doneAt+t.attempt != "" && sameAttempt(o.text("attempt"), o.text("done_at"), t.attempt, t.doneAt)
		})
		if corrected < 0 {
			add(t)
			continue
		}
		if before := gone[corrected].text("reason"); before != t.reason {
			t.event, t.corrected = "edited", before
			add(t)
		}
		gone = slices.Delete(gone, corrected, corrected+1)
	}
}

func stonesOf(p *plan) (stones []record) {
	if p == nil {
		return nil
	}
	for _, r := range p.records {
		if r.text("t") == "reject" && r.text("id") != "" {
			stones = append(stones, r)
		}
	}
	return stones
}
