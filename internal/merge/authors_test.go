package merge_test

import (
	"slices"

	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
)

// checkAuthors: in a recorded conflict of prose, each candidate is a text that one
// of the versions has, shown or recorded, whole.
func checkAuthors(t *rapid.T, base, x, y []byte, got merge.Result) {
	written := map[string][]jsonl.Value{} // by id and field; a record may have got another id
	for _, data := range [][]byte{base, x, y} {
		for _, r := range decode(data).Records() {
			conflict, _ := r.Get("conflict")
			for _, field := range []string{"name", "desc", "notes", "accept"} {
				v, _ := r.Get(field)
				written[field] = append(written[field], v)
				written[field] = append(written[field], candidates(conflict, field)...)
			}
		}
	}
	written["name"] = append(written["name"], written["desc"]...)
	for _, r := range decode(got.Data).Records() {
		conflict, _ := r.Get("conflict")
		for _, field := range []string{"name", "desc", "notes", "accept"} {
			all := candidates(conflict, field)
			for _, c := range all {
				if c != "" && c != "null" && !slices.ContainsFunc(written[field], func(v jsonl.Value) bool { return same(c, v) }) {
					t.Fatalf("nobody wrote %s\nbase\n%s\nx\n%s\ny\n%s\nresult\n%s", c, base, x, y, got.Data)
				}
			}
		}
	}
}
