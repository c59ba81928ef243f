package evidence

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// message returns a commit message with receipts of two checks.
func message() (text string, receipts []Receipt) {
	receipts = []Receipt{
		{
			Check: Check{"t-1a2b", `go test ./... -run "A|B"`}, Commit: strings.Repeat("12", 20), Tree: strings.Repeat("ab", 20), Took: 1234 * time.Millisecond,
			Output: strings.Repeat("0f", 32), At: "2026-01-18T10:00:00.000Z", By: "ada@example.org",
		},
		{Check: Check{"t-1a2b", "./prüfe"}, Commit: strings.Repeat("34", 20), Tree: strings.Repeat("cd", 20), Output: strings.Repeat("1e", 32)},
	}
	lines := []string{"ralph: accept t-1a2b Parse", "", plan.EventTrailer + `accepted t-1a2b {"at": "2026-01-18T10:00:00.000Z"}`}
	lines = append(lines, Trailers(receipts, []plan.Event{{Name: plan.EventAccepted, ID: "t-1a2b"}})...)
	return strings.Join(append(lines, plan.BranchTrailer+"main"), "\n") + "\n", receipts
}

// A receipt is read as it was written, also where git or a forge indented the message of a squash.
func TestReceiptsIn(t *testing.T) {
	text, want := message()
	indented := "    " + strings.ReplaceAll(text, "\n", "\n    ")
	for _, m := range []string{text, indented, strings.ReplaceAll(text, "\n", "\r\n"), strings.ReplaceAll(text, plan.EvidenceTrailer, "> * "+plan.EvidenceTrailer)} {
		got := ReceiptsIn(m)
		if len(got) != len(want) {
			t.Fatalf("%d receipts in\n%s", len(got), m)
		}
		for i := range got {
			got[i].text = ""
			if got[i] != want[i] {
				t.Errorf("got %+v, want %+v", got[i], want[i])
			}
		}
	}
}

// Whatever byte of a receipt is replaced, and by what: it is found, and found altered.
func TestAlteredReceipt(t *testing.T) {
	text, _ := message()
	from := strings.Index(text, plan.EvidenceTrailer)
	to := strings.Index(text, "\n"+plan.BranchTrailer)
	for at := from; at < to; at++ {
		for _, with := range []byte("\x00\n\r\t >*Aaz09\"\\}{,:\x7f\xff") {
			checkAltered(t, text, at, with)
		}
		checkAltered(t, text, at, text[at]^1)
		checkAltered(t, text, at, text[at]^0x20)
	}
}

func checkAltered(t *testing.T, text string, at int, with byte) {
	t.Helper()
	if text[at] == with {
		return
	}
	altered := 0
	for _, r := range ReceiptsIn(text[:at] + string([]byte{with}) + text[at+1:]) {
		if r.Altered {
			altered++
		}
	}
	if altered == 0 {
		t.Errorf("byte %d, %q, replaced by %q: no receipt is altered", at, text[at], with)
	}
}

// Any replacement, insertion and removal in one line is noticed too, unless it leaves the line as it was.
func TestAlteredReceiptAnywhere(t *testing.T) {
	text, _ := message()
	line := ReceiptsIn(text)[0].text
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.IntRange(0, len(line)).Draw(t, "from")
		to := rapid.IntRange(from, min(len(line), from+8)).Draw(t, "to")
		changed := line[:from] + rapid.StringN(0, 4, 8).Draw(t, "with") + line[to:]
		for _, r := range ReceiptsIn(changed) {
			if !r.Altered && r.text != line {
				t.Errorf("%q counts as written", changed)
			}
		}
	})
}

// A receipt that is removed as a whole is missed, by what the trailer of the acceptance says; so are all of them.
func TestRemovedReceipt(t *testing.T) {
	_, receipts := message()
	events := []plan.Event{{Name: plan.EventAccepted, ID: "t-1a2b"}, {Name: plan.EventAccepted, ID: "t-c"}}
	Announce(events, receipts)
	if len(events[1].Detail) > 0 {
		t.Errorf("%+v", events[1])
	}
	event := plan.EventTrailer + "accepted t-1a2b " + jsonl.Build(events[0].Detail).Text() + "\n"
	lines := Trailers(receipts, events)
	for text, want := range map[string]int{
		event + lines[0] + "\n" + lines[1] + "\n":  0,
		event + lines[1] + "\n" + lines[0] + "\n":  0,
		event + lines[0] + "\n":                    1,
		event + lines[1]:                           1,
		event:                                      1,
		lines[0] + "\n" + lines[1]:                 0, // a message that somebody shortened
		plan.EventTrailer + "accepted t-1a2b {}\n": 0,
		event + event + lines[0] + "\n" + lines[1]: 1, // accepted twice
	} {
		missing := 0
		for _, r := range ReceiptsIn(text) {
			if r.Altered && r.Task == "t-1a2b" {
				missing++
			}
		}
		if missing != want {
			t.Errorf("%d are missing, want %d, in\n%s", missing, want, text)
		}
	}
}

// Only a task all of whose checks passed gets receipts, and only in the commit that accepts it.
func TestReceiptsOfProvedTasks(t *testing.T) {
	p, _ := plan.Decode(`{"t": "task", "id": "t-a", "name": "a", "s": "d", "check": ["x", "y"]}` + "\n" + `{"t": "task", "id": "t-b", "name": "b", "s": "d"}` + "\n")
	a, _ := p.Task("t-a")
	b, _ := p.Task("t-b")
	x, y := Result{Check: Check{"t-a", "x"}, State: Passed}, Result{Check: Check{"t-a", "y"}, State: Passed}
	other, failed, open := y, y, y
	other.Task, failed.State, open.State = "t-b", Failed, NotAllowed
	for _, results := range [][]Result{nil, {x}, {x, failed}, {x, open}, {x, other}} {
		if got := Receipts(a, results, ""); Proved(a, results) || got != nil {
			t.Errorf("%+v: %+v", results, got)
		}
	}
	if Proved(b, []Result{x, y}) {
		t.Error("a task without a check is proved")
	}
	receipts := Receipts(a, []Result{x, y, other}, "ada")
	events := []plan.Event{{Name: plan.EventRejected, ID: "t-a"}, {Name: plan.EventAccepted, ID: "t-b"}}
	if len(receipts) != 2 || len(Trailers(receipts, events)) != 0 {
		t.Errorf("%+v", receipts)
	}
}
