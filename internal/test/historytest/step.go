package historytest

import (
	"encoding/json"
	"fmt"
)

// A step is a change of a plan on its way into a commit.
type step struct {
	d        *drawing
	sheet    *sheet
	trailers []string
	head     string // the parent's id
	seconds  int64
	ended    map[string]string
	rejected map[string]bool
}

// addTrailer adds a trailer to the message.
func (s *step) addTrailer(name, id string, detail record) {
	detail["at"] = fmt.Sprintf("2026-01-02T03:%02d:%02d.%03dZ", s.seconds/60%60, s.seconds%60, len(s.trailers))
	detail["by"] = "trailer@example.org"
	if s.d.chance(8) {
		delete(detail, "at")
	}
	text, _ := json.Marshal(detail)
	s.trailers = append(s.trailers, fmt.Sprintf("Ralph-Event: %s %s %s", name, id, text))
}

func isPending(r record) bool { return r.text("s") != "d" }
func isDone(r record) bool    { return r.text("s") == "d" }
func isAny(record) bool       { return true }

// one picks an id, "" where there is none.
func (s *step) one(kind string, matches func(record) bool) string {
	ids := s.sheet.those(kind, matches)
	if len(ids) == 0 {
		return ""
	}
	return ids[s.d.IntN(len(ids))]
}

// mutate makes one of the changes that people make.
func (s *step) mutate() {
	deeds := []func(){
		s.add, s.add, s.add, s.done, s.done, s.done, s.reject, s.reject, s.accept, s.accept, s.cancel, s.edit, s.kill, s.issue, s.close,
		s.respec, s.supersede, s.decompose, s.reopen, s.clear, s.stamp, s.shuffle, s.restore, s.rename, s.oddities,
	}
	if s.d.everyday {
		deeds = []func(){
			s.add, s.add, s.add, s.done, s.done, s.done, s.reject, s.accept, s.accept, s.cancel, s.edit, s.edit, s.kill, s.issue, s.close,
			s.supersede, s.decompose,
		}
	}
	if s.d.returns {
		deeds = append(deeds, s.restore, s.clear, s.reject, s.supersede)
	}
	deeds[s.d.IntN(len(deeds))]()
}

// end notes how it ended with a task, "" where it is there again.
func (s *step) end(id, how string) {
	if s.ended == nil {
		s.ended = map[string]string{}
	}
	s.ended[id] = how
}
