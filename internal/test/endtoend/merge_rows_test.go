package endtoend

import "strings"

// A mergeRow is one merge of those in docs/merge.md. Records are separated by
// line feeds; a row without a base is of two plans that both are new.
type mergeRow struct{ name, base, ours, theirs string }

const (
	specLine = `{"t": "spec", "spec": "a.md"}`
	tombOfT1 = `{"t": "reject", "id": "t-1", "done_at": "aaaaaaaaaaaa", "reason": "no", "attempt": "a111"}`
	rejected = `"s": "p", "reject": "no"`
	doneOnce = `"s": "d", "done_at": "aaaaaaaaaaaa", "attempt": "a111"`
	doneElse = `"s": "d", "done_at": "bbbbbbbbbbbb", "attempt": "b222"`
)

func records(all ...string) string { return strings.Join(all, "\n") + "\n" }

// about writes the spec and task t-1.
func about(members string) string { return records(specLine, taskOf("t-1", members)) }

func taskOf(id, members string) string {
	return `{"t": "task", "id": "` + id + `", "spec": "a.md", "name": "Parse the file", ` + members + `}`
}

func createdOn(day, members string) string {
	return about(members + `, "created_at": "2026-01-0` + day + `T00:00:00.000Z"`)
}

// mergeRows meets every rule of docs/merge.md. No side is without a record: a
// file that one side deleted does not come to the driver.
var mergeRows = []mergeRow{
	{"same change", about(`"s": "p"`), about(doneOnce + `, "x": 1`), about(doneOnce + `, "y": 2`)},
	{"one side", about(`"s": "p"`), about(doneOnce), records(specLine, taskOf("t-1", `"s": "p"`), taskOf("t-2", `"s": "p"`))},
	{"deps as sets", about(`"deps": ["t-a", "t-b"]`), about(`"deps": ["t-a", "t-d"]`), about(`"deps": ["t-a", "t-b", "t-c"]`)},
	{
		"deps in a circle", records(specLine, taskOf("t-1", `"s": "p"`), taskOf("t-2", `"s": "p"`)),
		records(specLine, taskOf("t-1", `"deps": ["t-2"], "s": "p"`), taskOf("t-2", `"s": "p"`)),
		records(specLine, taskOf("t-1", `"s": "p"`), taskOf("t-2", `"deps": ["t-1"], "s": "p"`)),
	},
	{
		"deps on what was decomposed", records(specLine, taskOf("t-1", `"s": "p"`), taskOf("t-5", `"s": "p"`)),
		records(specLine, taskOf("t-1", `"s": "p"`), taskOf("t-5", `"deps": ["t-1"], "s": "p"`)),
		records(specLine, taskOf("t-2", `"s": "p", "parent": "t-1"`), taskOf("t-3", `"s": "p", "parent": "t-1"`), taskOf("t-5", `"s": "p"`)),
	},
	{"done and killed", about(`"s": "p"`), about(doneOnce), about(`"s": "p", "kill": "timeout", "kill_log": "1/2.log"`)},
	{"done and rejected", about(`"s": "p"`), about(doneOnce), records(specLine, taskOf("t-1", rejected), tombOfT1)},
	{"another attempt", about(`"s": "p"`), about(doneElse), records(specLine, taskOf("t-1", rejected), tombOfT1)},
	{"done twice", about(`"s": "p"`), about(doneOnce), about(doneElse)},
	{"killed twice", about(`"s": "p"`), about(`"s": "p", "kill": "timeout"`), about(`"s": "p", "kill": "context"`)},
	{
		"rejected twice", about(doneOnce), records(specLine, taskOf("t-1", rejected), tombOfT1),
		records(specLine, taskOf("t-1", `"s": "p", "reject": "slow"`), strings.Replace(tombOfT1, `"no"`, `"slow"`, 1)),
	},
	{"priority", about(`"priority": "low"`), about(`"priority": "high"`), about(`"priority": "medium"`)},
	{"created_at of one", about(`"s": "p"`), createdOn("1", `"s": "p"`), about(`"s": "p", "x": 1`)},
	{"created_at of both", about(`"s": "p"`), createdOn("1", `"s": "p"`), createdOn("2", `"s": "p"`)},
	{"prose apart", about(`"notes": "parse the file, then report errors"`), about(`"notes": "parse the whole file, then report errors"`), about(`"notes": "parse the file, then report all errors"`)},
	{"prose together", about(`"accept": "under 100 ms"`), about(`"accept": "under 200 ms"`), about(`"accept": "under 1000 ms"`)},
	{"prose taken away", about(`"notes": "n"`), about(`"s": "p"`), about(`"notes": "n n"`)},
	{
		"specs", about(`"s": "p"`), records(strings.Replace(specLine, "a.md", "b.md", 1), taskOf("t-1", `"s": "p"`)),
		records(strings.Replace(specLine, "a.md", "c.md", 1), taskOf("t-1", `"s": "p"`)),
	},
	{"objects", about(`"meta": {"a": 1, "b": {"c": 1.0}}`), about(`"meta": {"a": 1, "b": {"c": 1.0, "d": 2}}`), about(`"meta": {"b": {"c": 1.00}, "e": null}`)},
	{"unknown fields", about(`"x": 1`), about(`"x": 1.0`), about(`"x": 12345678901234567890`)},
	{"accepted and rejected", about(doneOnce), records(specLine), records(specLine, taskOf("t-1", rejected), tombOfT1)},
	{"accepted and opened", about(doneOnce), records(specLine), about(`"s": "p"`)},
	{"accepted and edited", about(doneOnce), records(specLine), about(doneOnce + `, "priority": "high"`)},
	{"cancelled and done", about(`"s": "p"`), records(specLine), about(doneOnce)},
	{
		"issue closed and edited", records(specLine, `{"t": "issue", "id": "i-1", "desc": "flaky"}`), records(specLine),
		records(specLine, `{"t": "issue", "id": "i-1", "desc": "flaky on CI"}`),
	},
	{"tombstones", about(`"s": "p"`), about(`"s": "p"`) + records(tombOfT1), about(`"s": "p"`) + records(strings.Replace(tombOfT1, `"no"`, `"slow"`, 1))},
	{"unknown kinds", records(specLine, `{"t": "note", "n": 1.0}`), records(specLine, `{"t": "note", "n": 2}`), records(specLine, `{"t": "note", "n": 1.0}`, `{"t": "note", "n": 3}`)},
	{
		"settled, and a newer candidate", about(`"notes": "bb", "conflict": {"notes": ["a", "bb"]}`), about(`"notes": "a"`),
		about(`"notes": "ccc", "conflict": {"notes": ["a", "bb", "ccc"]}`),
	},
	{
		"desc and name", records(specLine, `{"t": "task", "id": "t-1", "desc": "fix it"}`), records(specLine, `{"t": "task", "id": "t-1", "desc": "fix it", "s": "d"}`),
		records(specLine, `{"t": "task", "id": "t-1", "name": "fix it now"}`),
	},
	{"members in another order", about(`"z": 1, "s": "p"`), about(`"s": "p", "z": 1, "y": 1`), about(`"z": 1, "s": "p", "a": 2`)},
	{"one new task", "", createdOn("1", `"s": "p", "x": 1`), createdOn("2", `"s": "p"`)},
	{"two new tasks", "", createdOn("1", `"s": "p"`), strings.Replace(createdOn("2", `"s": "p"`), "Parse the file", "Report", 1)},
	{
		"the id taken again", createdOn("1", `"s": "p"`), strings.Replace(createdOn("2", `"s": "p"`), "Parse the file", "Report", 1),
		createdOn("1", doneOnce),
	},
	{
		"no order", records(specLine, taskOf("t-5", `"s": "p"`), taskOf("t-3", `"s": "p"`)),
		records(specLine, taskOf("t-5", `"s": "p"`), taskOf("t-4", `"s": "p"`), taskOf("t-3", `"s": "p"`)),
		records(specLine, taskOf("t-5", `"s": "p"`), taskOf("t-3", `"s": "p"`), taskOf("t-1", `"s": "p"`)),
	},
}
