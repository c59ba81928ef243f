package board

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/mask"
)

// hostileTexts are what somebody could put into a plan to take a terminal over, or to break the layout.
var hostileTexts = []string{
	"\x1b[2J\x1b[H", "\x1b]0;title\a", "\x1b]52;c;aGk=\x1b\\", "\x1bP+q544e\x1b\\", "\x1b_Gf=100;AAAA\x1b\\", "\u009b31m", "\u202egnp.exe", "\u2066x\u2069", "\r\n", "\t", "\x00", "\x7f",
	"\u2028", "\U000e0041", "👨\u200d👩\u200d👧\u200d👦", "e\u0301\u0301\u0301\u0301", "日本語テキスト", "עברית", "<script>", "<svg onload=x>", strings.Repeat("x", 300), "\ufeff", "…", " ",
}

func hostileLine(kind, id, text, field string) string {
	quoted := strings.ReplaceAll(fmt.Sprintf("%q", ""), `""`, quoteJSON(text))
	more := ""
	switch kind {
	case "task":
		more = fmt.Sprintf(`, "name": %s, "s": "p", "notes": %s, "labels": [%s], "priority": "high", "deps": ["t-0000"], "role": %s`, quoted, quoted, quoted, quoted)
	case "issue":
		more = fmt.Sprintf(`, "desc": %s`, quoted)
	case "item":
		more = fmt.Sprintf(`, "name": %s, "state": "Backlog"`, quoted)
	}
	return fmt.Sprintf(`{"t": %q, "id": %q, "spec": "a.md"%s, "created_at": "2026-11-27T10:00:00.000Z", %s: %s}`, kind, id, more, quoteJSON("x"+field), quoted)
}

// quoteJSON writes a text as a JSON string, every character beyond ASCII and every control character escaped.
func quoteJSON(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// checkFrame fails unless a frame fills the window, and holds no control character but those of its own styles.
func checkFrame(t *rapid.T, m *model) {
	lines, _ := m.frame()
	small := m.width < smallestWidth || m.height < smallestLines
	if len(lines) != m.height && !small {
		t.Fatalf("the frame has %d lines, the window %d", len(lines), m.height)
	}
	for i, line := range lines {
		if n := m.method.StringWidth(line); n != m.width && !small {
			t.Fatalf("line %d is %d columns wide, the window %d: %q", i, n, m.width, line)
		}
		for rest := line; rest != ""; {
			if strings.HasPrefix(rest, "\x1b[") {
				end := strings.IndexFunc(rest[2:], func(r rune) bool { return r != ';' && (r < '0' || r > '9') }) + 2
				if end < 2 || rest[end] != 'm' {
					t.Fatalf("line %d has an escape sequence that is no style: %q", i, line)
				}
				rest = rest[end+1:]
				continue
			}
			r, size := utf8.DecodeRuneInString(rest)
			if mask.IsControl(r) || r == utf8.RuneError && size == 1 {
				t.Fatalf("line %d has the control character %U: %q", i, r, line)
			}
			rest = rest[size:]
		}
	}
}

// hostileRunner answers as commands do, with texts that are hostile too.
type hostileRunner struct{ t *rapid.T }

func (r hostileRunner) Run(context.Context, inprocess.Line) inprocess.Outcome {
	text := rapid.SampledFrom(hostileTexts).Draw(r.t, "message")
	exit := rapid.SampledFrom([]int{cmdline.ExitDone, cmdline.ExitFailed, cmdline.ExitNothing, cmdline.ExitLocked}).Draw(r.t, "exit")
	return inprocess.Outcome{Exit: exit, Output: text, Messages: map[string][]string{"error": {text + " --force"}, "hint": {text}, "warning": {text}}}
}

// TestHostile: whatever is in the plan and in the messages, whatever keys are pressed and however large the window is, no frame sends the
// terminal a control character, and every one fills the window exactly.
func TestHostile(t *testing.T) {
	lines := []string{spec, task("t-0000", "first", "")}
	kinds := []string{"task", "task", "issue", "item"}
	for i, text := range hostileTexts {
		kind := kinds[i%len(kinds)]
		prefix := map[string]string{"task": "t", "issue": "i", "item": "w"}[kind]
		lines = append(lines, hostileLine(kind, fmt.Sprintf("%s-h%03d", prefix, i), text, text))
	}
	edited := append([]string{}, lines...)
	for i := range edited[2:] {
		edited[i+2] = strings.Replace(edited[i+2], `"s": "p"`, `"s": "d", "done_at": "0123456789ab"`, 1)
	}
	r := newRepo(t, version{"a\u0001@example.com", "ralph: x", 50 * 3600e9, lines}, version{"b@example.com", "ralph: \x1b[2J", 3600e9, edited})
	base := open(t, r, 80, 24)
	keys := []string{"left", "right", "down", "up", "pgdown", "home", "end", "tab", "enter", "esc", "/", "o", "w", "?", "a", "A", "f", "p", "+", "d", "y", "x", "X", "D", "K", "T", "S", "u", "[", "]", "{", "0", "M", "c", "n", "i", "backspace", "alt+enter"}
	rapid.Check(t, func(t *rapid.T) {
		own := *base.m
		own.cursors = append([]cursor{}, own.cursors...)
		u := &user{base.t, r, &own}
		own.run = hostileRunner{t}
		own.method = rapid.SampledFrom([]ansi.Method{ansi.WcWidth, ansi.GraphemeWidth}).Draw(t, "method")
		size := func() tea.WindowSizeMsg {
			return tea.WindowSizeMsg{Width: rapid.IntRange(1, 170).Draw(t, "width"), Height: rapid.IntRange(1, 60).Draw(t, "height")}
		}
		u.send(size())
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0:
				u.send(size())
			case 1:
				u.send(tea.PasteMsg{Content: rapid.SampledFrom(hostileTexts).Draw(t, "paste")})
			case 2:
				u.send(tea.MouseClickMsg{X: rapid.IntRange(0, 170).Draw(t, "x"), Y: rapid.IntRange(0, 60).Draw(t, "y"), Button: tea.MouseLeft})
			case 3:
				u.send(tea.MouseWheelMsg{X: rapid.IntRange(0, 170).Draw(t, "x"), Y: rapid.IntRange(0, 60).Draw(t, "y"), Button: tea.MouseWheelDown})
			default:
				u.press(rapid.SampledFrom(keys).Draw(t, "key"))
			}
			checkFrame(t, u.m)
		}
	})
}

// TestEmoji: of an emoji that is several characters, a terminal that measures single ones is given the first. What is edited is all of it.
func TestEmoji(t *testing.T) {
	u := open(t, smallRepo(t), 80, 24)
	u.shows("Emoji 👍🏽 👨\u200d👩\u200d👧 ❤\ufe0f in")
	u.m.method = ansi.WcWidth
	u.shows("Emoji 👍 👨 ❤ in")
	u.run(u.m.jump("t-6k7l"))
	u.press("f", "n")
	u.shows("Emoji 👍 👨 ❤ in names")
	u.hides("\u200d", "\ufe0f")
	if got := u.m.over.(*prompt).text.String(); got != "Emoji 👍🏽 👨\u200d👩\u200d👧 ❤\ufe0f in names" {
		t.Errorf("the name to edit is %q", got)
	}
}

// TestWrap: lines are no wider than asked for, and nothing of a text is lost.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "word", " ", "日本", "👨\u200d👩\u200d👧", "-", "longlonglonglong", "é"}), 0, 30).Draw(t, "text"), "")
		width := rapid.IntRange(10, 40).Draw(t, "width")
		got := ""
		for _, line := range wrap(ansi.GraphemeWidth, width, rapid.IntRange(0, 4).Draw(t, "indent"), span{text, plain}) {
			whole := ""
			for _, s := range line {
				whole += s.text
			}
			if n := ansi.StringWidth(whole); n > width {
				t.Fatalf("%q is %d columns wide, want %d", whole, n, width)
			}
			got += whole
		}
		if blankless := strings.NewReplacer(" ", ""); blankless.Replace(got) != blankless.Replace(text) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

// TestInput: the cursor moves by what people see as characters, and never divides one.
func TestInput(t *testing.T) {
	var in input
	in.insert("née 👍🏽👨\u200d👩\u200d👧 日本")
	for _, s := range []struct{ key, before string }{
		{"backspace", "née 👍🏽👨\u200d👩\u200d👧 日"},
		{"left", "née 👍🏽👨\u200d👩\u200d👧 "},
		{"left", "née 👍🏽👨\u200d👩\u200d👧"},
		{"backspace", "née 👍🏽"},
		{"left", "née "},
		{"alt+b", ""},
		{"right", "n"},
		{"end", "née 👍🏽 日"},
		{"ctrl+w", "née 👍🏽 "},
		{"home", ""},
		{"delete", ""},
	} {
		in.pressed(keyNamed(s.key))
		if in.before != s.before {
			t.Errorf("after %s the cursor is behind %q, want %q", s.key, in.before, s.before)
		}
	}
	if in.String() != "ée 👍🏽 " {
		t.Errorf("the text is %q", in.String())
	}
}
