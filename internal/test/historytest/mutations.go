package historytest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

func (s *step) add() { s.put(record{}) }

func (s *step) put(extra record) string {
	id := fmt.Sprintf("t-%04d", s.d.IntN(12))
	if s.d.everyday || s.d.chance(3) {
		s.d.serial++
		id = fmt.Sprintf("t-n%03d", s.d.serial)
	}
	if s.sheet.find("task", id) >= 0 {
		return ""
	}
	r := record{"t": "task", "id": id, "spec": s.d.pick("a.md", "b.md"), "name": "Task " + id, "s": "p"}
	if s.d.dated {
		s.d.serial++
		r["created_at"] = fmt.Sprintf("2026-01-01T00:00:00.%03dZ", s.d.serial%1000)
	}
	if s.d.chance(9) {
		r["desc"] = r["name"]
		delete(r, "name")
	}
	maps.Copy(r, extra)
	s.sheet.records = append(s.sheet.records, r)
	s.addTrailer("added", id, record{"name": "Task " + id, "spec": r["spec"]})
	return id
}

func (s *step) done() {
	id := s.one("task", isPending)
	if id == "" {
		return
	}
	r := s.sheet.records[s.sheet.find("task", id)]
	r["s"], r["done_at"] = "d", s.d.doneAt(s.head)
	delete(r, "kill")
	detail := record{}
	if s.d.dated {
		s.d.serial++
		r["attempt"] = fmt.Sprintf("a%03d", s.d.serial)
		detail["attempt"] = r["attempt"]
	}
	s.addTrailer("done", id, detail)
}

// cancellation is how it ends with a task that is cancelled. Of one that was rejected in the same commit, only the rejection
// shows.
func (s *step) cancellation(id string) string {
	if s.rejected[id] {
		return "any"
	}
	return "cancelled"
}

// buried reports whether a tombstone names the present attempt at a task: after a merge by hand, one may.
func (s *step) buried(id string) bool {
	r := s.sheet.records[s.sheet.find("task", id)]
	return slices.ContainsFunc(s.sheet.records, func(o record) bool {
		return o["t"] == "reject" && o["id"] == id && o.text("done_at") == r.text("done_at") && o.text("attempt") == r.text("attempt")
	})
}

// bury adds the tombstone of a task.
func (s *step) bury(id, reason string) record {
	r := s.sheet.records[s.sheet.find("task", id)]
	stone := record{"t": "reject", "id": id, "done_at": r.text("done_at"), "reason": reason}
	detail := record{"reason": reason}
	if r.text("attempt") != "" {
		stone["attempt"], detail["attempt"] = r["attempt"], r["attempt"]
	}
	if s.rejected == nil {
		s.rejected = map[string]bool{}
	}
	s.rejected[id] = true
	s.sheet.records = append(s.sheet.records, stone)
	s.addTrailer("rejected", id, detail)
	return r
}

func (s *step) reject() {
	id := s.one("task", isDone)
	if id == "" {
		return
	}
	r := s.bury(id, s.d.pick("wrong", "slow"))
	if s.d.chance(4) { // the old way: it leaves
		s.sheet.remove("task", id)
		s.end(id, "rejected")
		return
	}
	r["s"], r["reject"] = "p", "wrong"
	delete(r, "done_at")
	delete(r, "attempt")
}

func (s *step) accept() {
	for _, id := range s.sheet.those("task", isDone) {
		if s.d.chance(3) || s.sheet.find("task", id) < 0 || s.d.returns && s.buried(id) {
			continue
		}
		detail := record{}
		if a := s.sheet.records[s.sheet.find("task", id)].text("attempt"); a != "" {
			detail["attempt"] = a
		}
		s.sheet.remove("task", id)
		s.end(id, "accepted")
		s.addTrailer("accepted", id, detail)
	}
}

func (s *step) cancel() {
	if id := s.one("task", isPending); id != "" {
		s.sheet.remove("task", id)
		s.end(id, s.cancellation(id))
		s.addTrailer("cancelled", id, record{})
	}
}

func (s *step) edit() {
	if id := s.one("task", isAny); id != "" {
		r := s.sheet.records[s.sheet.find("task", id)]
		r["notes"] = s.d.pick("n1", "n2", "é\n\u2028")
		r["meta"] = map[string]any{"n": json.Number(s.d.pick("1", "1.0")), "list": []any{"x", nil}}
		s.addTrailer("edited", id, record{})
	}
}

func (s *step) kill() {
	if id := s.one("task", isPending); id != "" {
		r := s.sheet.records[s.sheet.find("task", id)]
		r["kill"], r["kill_log"] = s.d.pick("timeout", "context"), fmt.Sprintf("1/%d.log", s.d.IntN(3))
		s.addTrailer("killed", id, record{"kill": r["kill"]})
	}
}

func (s *step) issue() {
	id := fmt.Sprintf("i-%04d", s.d.IntN(5))
	if s.d.everyday {
		s.d.serial++
		id = fmt.Sprintf("i-n%03d", s.d.serial)
	}
	if s.sheet.find("issue", id) >= 0 {
		s.sheet.records[s.sheet.find("issue", id)]["desc"] = s.d.pick("x", "y")
		s.addTrailer("edited", id, record{})
		return
	}
	s.sheet.records = append(s.sheet.records, record{"t": "issue", "id": id, "spec": "a.md", "desc": "Issue"})
	s.addTrailer("issue-added", id, record{"desc": "Issue", "spec": "a.md"})
}

func (s *step) close() {
	if id := s.one("issue", isAny); id != "" {
		s.sheet.remove("issue", id)
		s.addTrailer("issue-done", id, record{})
	}
}

func (s *step) respec() {
	spec := s.d.pick("a.md", "b.md", "c.md")
	s.sheet.setSpec(spec)
	s.addTrailer("spec", "-", record{"spec": spec})
	if s.d.chance(2) { // as `plan` cancels what is left
		s.sheet.records = slices.DeleteFunc(s.sheet.records, func(r record) bool { return r["t"] == "task" || r["t"] == "reject" })
	}
}

func (s *step) supersede() {
	old := s.one("task", isAny)
	if old == "" {
		return
	}
	id := s.put(record{"supersedes": old})
	if id == "" {
		return
	}
	s.end(old, "rejected")
	if s.d.chance(6) {
		s.sheet.remove("task", old) // without a tombstone
		return
	}
	s.bury(old, "superseded by "+id)
	s.sheet.remove("task", old)
	s.addTrailer("superseded", old, record{"superseded_by": id})
}

func (s *step) decompose() {
	if id := s.one("task", isPending); id != "" {
		s.sheet.remove("task", id)
		s.end(id, s.cancellation(id))
		s.addTrailer("decomposed", id, record{})
		s.put(record{"parent": id})
		s.put(record{"parent": id})
	}
}

func (s *step) reopen() {
	if id := s.one("task", isDone); id != "" {
		r := s.sheet.records[s.sheet.find("task", id)]
		r["s"] = "p"
		delete(r, "done_at")
		delete(r, "attempt")
	}
}

// clear takes the tombstones out.
func (s *step) clear() {
	s.sheet.records = slices.DeleteFunc(s.sheet.records, func(r record) bool { return r["t"] == "reject" })
}

// stamp adds a time of creation to records that lack one.
func (s *step) stamp() {
	for i, r := range s.sheet.records {
		if r["t"] == "task" && r["created_at"] == nil {
			r["created_at"] = fmt.Sprintf("2025-01-01T00:00:00.%03dZ", i)
		}
	}
}

func (s *step) shuffle() {
	rand.New(s.d).Shuffle(len(s.sheet.records), func(i, j int) {
		s.sheet.records[i], s.sheet.records[j] = s.sheet.records[j], s.sheet.records[i]
	})
}

// restore brings a record back that some commit had.
func (s *step) restore() {
	c := s.d.commits[s.d.IntN(len(s.d.commits))]
	if c.plan == nil || len(c.plan.records) == 0 {
		return
	}
	r := maps.Clone(c.plan.records[s.d.IntN(len(c.plan.records))])
	if s.d.returns && slices.ContainsFunc(s.sheet.records, func(o record) bool { return o["supersedes"] == r["id"] }) {
		return // it would be superseded the moment it leaves
	}
	if id := r.text("id"); r["t"] == "task" && s.sheet.find("task", id) < 0 {
		s.sheet.records = append(s.sheet.records, r)
		s.end(id, "")
		s.addTrailer("reopened", id, record{})
	}
}

// rename gives a task another id, as a merge does with one of two that collide.
func (s *step) rename() {
	id := s.one("task", func(r record) bool { return r["created_at"] != nil && r["renamed_from"] == nil })
	if id == "" {
		return
	}
	r := s.sheet.records[s.sheet.find("task", id)]
	s.d.serial++
	r["renamed_from"] = []any{id, r["created_at"]}
	r["id"] = fmt.Sprintf("t-r%03d", s.d.serial)
}

// oddities adds what other tools write.
func (s *step) oddities() {
	switch s.d.IntN(5) {
	case 0:
		s.sheet.records = append(s.sheet.records, record{"t": "accept", "id": "t-0001", "done_at": "abc"})
	case 1:
		if id := s.one("task", isAny); id != "" {
			s.sheet.records[s.sheet.find("task", id)]["s"] = s.d.pick("a", "p", "x")
		}
	case 2:
		s.sheet.records = append(s.sheet.records, record{"t": "reject", "id": s.d.pick("t-0001", "t-zzzz"), "done_at": s.d.doneAt(s.head), "reason": "odd"})
	case 3:
		if id := s.one("task", isAny); id != "" { // the same id twice
			twin := maps.Clone(s.sheet.records[s.sheet.find("task", id)])
			twin["notes"] = "twin"
			s.sheet.records = append(s.sheet.records, twin)
		}
	case 4:
		s.sheet.records = append(s.sheet.records, record{"x": nil, "t": nil})
	}
}
