package export

import (
	"encoding/csv"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/mask"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// row returns a row of a task whose texts a stranger wrote.
func row(name string) Row {
	text := func(name, value string) jsonl.Member { return jsonl.Member{Name: name, Value: jsonl.Quote(value)} }
	r := plan.MakeRecord(plan.KindTask, []jsonl.Member{
		text("t", "task"), text("id", name), text("spec", name), text("name", name), text("notes", name), text("accept", name), text("priority", name),
		{Name: "labels", Value: jsonl.List([]string{name, "b"})},
	})
	return Row{
		view.Card{Record: &r, Status: view.Blocked, BlockedBy: []string{name}, Holder: name, Item: name, State: name},
		view.Times{DoneBy: name, Changed: time.Unix(1_800_000_000, 0)},
	}
}

// hostile draws texts that mean something to some reader of the files.
func hostile() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"=1+1", "@SUM(A1)", "+", "-2", "＝", "\t", "\r\n", "\n", "\r", " ", `"`, `""`, ",", ";", "'", `\`, `\n`, "|", "<script>alert(1)</script>", "<!--", "&lt;", "]", "[a](b)", "*", "_",
			"`", "#", "@name", "#12", "GH-7", "https://x.org", "www.x.org", "12", "END:VTODO", "\nBEGIN:VEVENT", "\x1b[31m", "\u202e", "\u2028", "\u0085", "漢字", "👩‍👩‍👧", "é", "שלום", "\xff", "a long word of a text that goes on and on until it is folded",
		}), 0, 6).Draw(t, "text"), "")
	})
}

// TestCSVCells: a reader gets the cells that were written, in as many columns as the header has; and none is a formula.
func TestCSVCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := hostile().Draw(t, "name")
		text := CSV([]Row{row(name), row("plain")})
		records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(records) != 3 || len(records[1]) != len(csvColumns) {
			t.Fatalf("%v: %q", err, records)
		}
		for _, cell := range records[1] {
			if trimmed := strings.TrimSpace(cell); trimmed != "" && strings.ContainsAny(trimmed[:1], "=+-@") || strings.HasPrefix(trimmed, "＝") {
				t.Fatalf("%q is a formula", cell)
			}
		}
		if got, want := strings.TrimPrefix(records[1][4], "'"), strings.TrimPrefix(plain(name), "'"); got != want {
			t.Fatalf("name %q; want %q", got, want)
		}
		if !strings.HasSuffix(text, "\r\n") {
			t.Fatal("the last line has no end")
		}
		safe(t, text)
	})
}

// safe fails where a text has characters that control a terminal or the direction of writing.
func safe(t *rapid.T, text string) {
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\r' && r != '\t' && mask.IsControl(r) }) {
		t.Fatalf("unsafe: %q", text)
	}
}

// TestFormulas: what spreadsheets take for a formula, and what only looks a little like one.
func TestFormulas(t *testing.T) {
	for text, want := range map[string]string{
		"=cmd|' /C calc'!A0": `"'=cmd|' /C calc'!A0"`, "+1": `"'+1"`, "-1": `"'-1"`, "@A": `"'@A"`, "\t=1": "\"'\t=1\"", " =1": `"' =1"`, "\n=1": "\"'\n=1\"", "|x": `"'|x"`, "a=1": "a=1", "t-1a2b": "t-1a2b", "": "",
		`say "x"`: `"say ""x"""`, "a;=b": `"a;=b"`,
	} {
		if got := csvCell(text); got != want {
			t.Errorf("%q: %s; want %s", text, got, want)
		}
	}
}

// unfolded returns the lines of a calendar, each of which it checks.
func unfolded(t *rapid.T, text string) []string {
	if !strings.HasSuffix(text, "\r\n") {
		t.Fatal("the last line has no end")
	}
	for _, line := range strings.Split(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		if len(line) > 75 || !utf8.ValidString(line) || strings.ContainsAny(line, "\r\n") {
			t.Fatalf("line of %d bytes: %q", len(line), line)
		}
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n ", ""), "\r\n"), "\r\n")
}

// TestCalendar: whatever texts there are, the calendar has one to-do for each row, with the properties that it must have.
func TestCalendar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := hostile().Draw(t, "name")
		text := Calendar(name, []Row{row(name), row("t-other")})
		lines := unfolded(t, text)
		count := func(line string) (n int) {
			for _, l := range lines {
				if l == line {
					n++
				}
			}
			return n
		}
		if count("BEGIN:VTODO") != 2 || count("END:VTODO") != 2 || count("BEGIN:VEVENT") != 0 || lines[0] != "BEGIN:VCALENDAR" || lines[len(lines)-1] != "END:VCALENDAR" {
			t.Fatalf("%q", lines)
		}
		var names []string
		for _, line := range lines {
			property, value, found := strings.Cut(line, ":")
			if !found || strings.Trim(property, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-;=") != "" {
				t.Fatalf("%q is no property", line)
			}
			names = append(names, property)
			if property == "SUMMARY" || property == "DESCRIPTION" {
				backslashes := strings.NewReplacer(`\\`, "", `\n`, "", `\,`, "", `\;`, "").Replace(value)
				if strings.ContainsAny(backslashes, `\;,`) {
					t.Fatalf("%q is not escaped", value)
				}
			}
		}
		for _, must := range []string{"VERSION", "PRODID", "UID", "DTSTAMP"} {
			if !slices.Contains(names, must) {
				t.Fatalf("%s is missing", must)
			}
		}
		if text != Calendar(name, []Row{row(name), row("t-other")}) {
			t.Fatal("the same data gave other bytes")
		}
		safe(t, text)
	})
}

// TestCalendarStatus: how far a to-do is.
func TestCalendarStatus(t *testing.T) {
	done := time.Date(2026, 1, 31, 12, 0, 0, 0, time.FixedZone("", 3600))
	for status, want := range map[view.Status]string{
		view.Ready: "STATUS:NEEDS-ACTION", view.Blocked: "STATUS:NEEDS-ACTION", view.Claimed: "STATUS:IN-PROCESS", view.Cancelled: "STATUS:CANCELLED",
		view.Done: "STATUS:COMPLETED\r\nPERCENT-COMPLETE:100\r\nCOMPLETED:20260131T110000Z", view.Accepted: "COMPLETED:20260131T110000Z",
	} {
		r := row("t-1a2b")
		r.Status, r.Done = status, done
		text := Calendar("Plan", []Row{r})
		if !strings.Contains(text, want+"\r\n") || !strings.Contains(strings.ReplaceAll(text, "\r\n ", ""), `DESCRIPTION:t-1a2b\nNotes: t-1a2b\nDone when:`) {
			t.Errorf("%s: %s", status, text)
		}
	}
}

// TestMarkdown: a text is on one line of the document, and no character of it has a meaning there.
func TestMarkdown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := hostile().Draw(t, "name")
		text := Markdown(name, []Row{row(name), row("t-other")})
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) != 6 || !strings.HasPrefix(lines[0], "# ") || lines[2] != "## Blocked (2)" || !strings.HasPrefix(lines[4], "- **") || !strings.HasPrefix(lines[5], "- **t-other** t-other") {
			t.Fatalf("%q", lines)
		}
		plain := strings.NewReplacer("**", "", noLink, "").Replace(lines[4])
		for i := 0; i < len(plain); i++ {
			if plain[i] == '\\' {
				i++
			} else if strings.ContainsRune("`*_[]<>#|&", rune(plain[i])) && i > 0 {
				t.Fatalf("%q has a meaning in %q", plain[i], lines[4])
			}
		}
		shown := strings.NewReplacer(noLink, "\u200b", `\\`, `\`, `\`, "").Replace(text)
		if found := linked.FindString(shown); found != "" {
			t.Fatalf("forges make a link of %q in %q", found, shown)
		}
		safe(t, text)
	})
}

// linked is what forges make links and mentions of, in a text as it is shown.
var linked = regexp.MustCompile(`(?i)(^|[^a-z0-9_])@[a-z0-9]|#[0-9]|GH-[0-9]|://|www\.`)

// TestLinks: what looks like a mention, a number of an issue or a URL is shown and is none; an address of mail stays as it is.
func TestLinks(t *testing.T) {
	for text, want := range map[string]string{
		"@ann, (@bob) é@cy": "@&#8203;ann, (@&#8203;bob) é@&#8203;cy", "ann@example.org @ 7": "ann@example.org @ 7",
		"#12 o/r#3 # 4": `\#&#8203;12 o/r\#&#8203;3 \# 4`, "GH-42 gh-4 GH-x": "GH-&#8203;42 gh-&#8203;4 GH-x",
		"https://a.org www.b.org": "https:&#8203;//a.org www&#8203;.b.org", "a: b": "a: b",
	} {
		if got := inline(text); got != want {
			t.Errorf("%q: %s; want %s", text, got, want)
		}
	}
}

// TestEmptyCalendar: a calendar has a component also where there is no to-do.
func TestEmptyCalendar(t *testing.T) {
	text := Calendar("Plan", nil)
	if strings.Count(text, "BEGIN:VTIMEZONE\r\n") != 1 || !strings.HasSuffix(text, "END:VTIMEZONE\r\nEND:VCALENDAR\r\n") || strings.Contains(text, "VTODO") {
		t.Error(text)
	}
	if strings.Contains(Calendar("Plan", []Row{row("t-1a2b")}), "VTIMEZONE") {
		t.Error("a to-do needs no time zone")
	}
}

// TestReport: the sections of a report, and that texts of strangers stay within their lines.
func TestReport(t *testing.T) {
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	card := row("<b>").Card
	r := view.Report{
		Until: now, Total: view.Tally{Done: 2, Accepted: 1, Proved: 1}, Now: map[view.Status]int{view.Ready: 3}, ForPersons: []view.Card{card},
		Tasks: []view.Happened{
			{ID: "t-aaaa", Name: "A\n# x", What: plan.EventAccepted, By: "ann@example.org", At: now, Proved: true, Rejected: 1, Usage: view.Usage{Iterations: 2, Cost: 1.5}},
			{ID: "t-bbbb", Name: "B", What: plan.EventRejected, Reason: "no | tests", At: now},
		},
		People: []view.Person{{Address: "a|b", Tally: view.Tally{Done: 2}}, {}},
		Runs:   []view.Run{{Name: "r1", Why: "complete", Began: now, Iterations: []view.Iteration{{Took: time.Minute, Tokens: 7, Cost: 0.25}}}},
		Usage:  view.Usage{Iterations: 1, Took: time.Minute, Tokens: 7, Cost: 0.25},
	}
	text := Report("Plan of a.md", r)
	for _, want := range []string{
		"# Report on the plan of a.md\n\nFrom the beginning to 2026-01-31 12:00 +0000.\n", "- 2 done, 1 accepted\n- 1 of 1 acceptances have receipts of checks\n",
		"- agents: 1 iteration, 1m0s, 7 tokens, 0.25 US dollars\n- now: 3 ready\n", "## Waits for a person\n\n- **\\<b\\>**",
		"## Accepted (1)\n\n- **t-aaaa** A \\# x · by ann@example.org · 2026-01-31 12:00 +0000 · proved by checks · rejected 1× before · 2 iterations, 0s, 1.50 US dollars\n",
		"## Rejected (1)\n\n- **t-bbbb** B: no \\| tests · 2026-01-31 12:00 +0000\n", "| a\\|b | 0 | 0 | 2 |", "| ? | 0 |", "| r1 |  | 2026-01-31 12:00 +0000 | 1 | 1m0s | 7 | 0.25 | complete |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
