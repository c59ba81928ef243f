package board

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"git-ralph/internal/test/gittest"
)

// wordsPlan is a plan in scripts and with characters whose widths terminals may get wrong, and with very long words.
func wordsPlan() []version {
	names := []string{
		"日本語のとても長い名前、句読点「かぎ括弧」と全角ＡＢＣ、半角ｶﾀｶﾅ", "한국어 이름과 中文名字，混在", "👨‍👩‍👧‍👦 family, 👩🏽‍🚀 astronaut, 🏳️‍🌈 flag, 🇩🇪🇯🇵🇺🇳 flags, 1️⃣ keycap",
		"☺️ ☺ ✈️ ✈ ©️ © emoji and text", "👍🏻👍🏼👍🏽👍🏾👍🏿 skins", "עברית עם English בפנים", "العربية مع 123 أرقام", "e\u0301\u0308\u0323 a\u030a\u0332 n\u0303 Z\u0351\u036b\u0343\u036a\u0302 marks",
		"हिन्दी नाम क्षत्रिय", "ภาษาไทย ที่นี่ น้ำ", "ｆｕｌｌｗｉｄｔｈ and ½ ① Ⅷ ㎏", strings.Repeat("Donaudampfschifffahrtsgesellschaft", 4), "\u00adsoft\u00adhyphen\u200b zero\u2060width\ufeff", "a\u00a0b\u2003c\u3000d blanks", strings.Repeat("很长", 120),
	}
	lines := []string{spec}
	for i, name := range names {
		more := fmt.Sprintf(`"notes": %s, "labels": [%s]`, quoteJSON(name+" · "+name), quoteJSON(name))
		if i%3 == 2 {
			more += fmt.Sprintf(`, "deps": ["t-w%03d"], "priority": "high"`, i-1)
		}
		lines = append(lines, task(fmt.Sprintf("t-w%03d", i), name, more))
	}
	long := "t-" + strings.Repeat("very-long-id-", 9)
	lines = append(lines, task(long, "A task with a very long id", ""), task("t-w999", "Waits for it", `"deps": ["`+long+`"]`))
	edited := slices.Clone(lines)
	for i := range edited {
		edited[i] = strings.Replace(edited[i], " · ", " 変更 👍🏽 ", 1)
	}
	return []version{{strings.Repeat("long.", 12) + "name@example.com", "ralph: plan", 3 * time.Hour, lines}, {"bob@example.com", "ralph: edit", time.Hour, edited}}
}

// hostilePlan has a hostile text in every field of its records.
func hostilePlan() []version {
	lines := []string{spec, task("t-0000", "first", "")}
	for i, text := range hostileTexts {
		kind := []string{"task", "task", "issue", "item"}[i%4]
		lines = append(lines, hostileLine(kind, fmt.Sprintf("%s-h%03d", map[string]string{"task": "t", "issue": "i", "item": "w"}[kind], i), text, text))
	}
	return []version{{"a\u0001@example.com", "ralph: \x1b[2J", time.Hour, lines}}
}

// workPlan is a plan of which something is claimed, done, landed and accepted.
func workPlan(t testing.TB) *gittest.Repo {
	versions := smallPlan()
	last := versions[len(versions)-1].lines
	accepted := []string{}
	for _, line := range last {
		switch {
		case strings.Contains(line, `"id": "t-0s1t"`): // accepted
		case strings.Contains(line, `"id": "t-4g5h"`):
			accepted = append(accepted, strings.Replace(line, `"name": "Colour`, `"conflict": {"name": ["Colour by threshold", "Colour by level"]}, "name": "Colour`, 1))
		default:
			accepted = append(accepted, line)
		}
	}
	accepted = append(accepted, task("t-8o9p", "Follow symbolic links", ""), done(task("t-2q3r", "Show directories", ""), "c444"))
	r := newRepo(t, append(versions, version{"bob@example.com", "ralph: accept", 20 * time.Minute, accepted})...)
	r.Git("config", "ralph.warnInstall", "false")
	u := open(t, r, 80, 24)
	for _, id := range []string{"t-8o9p", "t-5i6j"} {
		u.run(u.m.jump(id))
		u.press("c")
	}
	return r
}

// A screen is a picture: of a repository in windows of some sizes, after some keys.
type screen struct {
	name  string
	repo  *gittest.Repo
	do    func(*user)
	sizes [][2]int // nil: those of all
}

// TestScreens writes pictures of screens for people to look at, into the directory that GIT_RALPH_SCREENS names: those whose names have
// GIT_RALPH_SCREEN in them.
func TestScreens(t *testing.T) {
	dir := os.Getenv("GIT_RALPH_SCREENS")
	if dir == "" {
		t.Skip("GIT_RALPH_SCREENS is not set")
	}
	keys := func(keys ...string) func(*user) { return func(u *user) { u.press(keys...) } }
	typed := func(key, text string, after ...string) func(*user) {
		return func(u *user) { u.press(key); u.enter(text); u.press(after...) }
	}
	at := func(id string, keys ...string) func(*user) {
		return func(u *user) { u.run(u.m.jump(id)); u.press(keys...) }
	}
	small, work, empty := smallRepo(t), workPlan(t), newRepo(t, version{"ann@example.com", "ralph: begin", 0, []string{spec}})
	big, words, hostile := newRepo(t, bigPlan(10000)...), newRepo(t, wordsPlan()...), newRepo(t, hostilePlan()...)
	tiny := [][2]int{{24, 6}, {40, 12}, {53, 16}, {54, 12}, {23, 5}, {200, 8}}
	screens := []screen{
		{"small", small, keys(), nil},
		{"small-tiny", small, keys(), tiny},
		{"small-tiny-task", small, keys("enter"), tiny},
		{"small-tiny-help", small, keys("?"), tiny},
		{"small-tiny-prompt", small, typed("x", "too slow"), tiny},
		{"small-tiny-past", small, keys("[", "["), tiny},
		{"focus-task", small, keys("tab", "down", "down"), nil},
		{"focus-links", small, keys("right", "down", "tab", "tab", "down"), nil},
		{"task", small, at("t-1a2b", "enter"), nil},
		{"issue", small, at("i-9o0p"), nil},
		{"item", small, at("w-3g4h"), nil},
		{"alone", small, keys("o"), nil},
		{"help", small, keys("?"), nil},
		{"help-end", small, keys("?", "G"), nil},
		{"warnings", small, keys("w"), nil},
		{"filter", small, typed("/", "table"), nil},
		{"filtered", small, typed("/", "status:blocked -label:cli", "enter"), nil},
		{"nothing", small, typed("/", "zzz", "enter"), nil},
		{"add", small, typed("a", "A new task"), nil},
		{"add-menu", small, keys("A"), nil},
		{"reject", small, typed("x", "It does not fit into 80 columns; 長い名前のタスクは端末の幅で折り返されます, and much more that needs a second line"), nil},
		{"cancel", small, keys("X"), nil},
		{"decompose", small, keys("D"), nil},
		{"kill", small, keys("K"), nil},
		{"into-task", smallRepo(t), at("i-9o0p", "T"), nil},
		{"spec", small, keys("S"), nil},
		{"move-item", small, at("w-3g4h", "d"), nil},
		{"priority", small, keys("p"), nil},
		{"field-menu", small, keys("f"), nil},
		{"field", small, keys("f", "o"), nil},
		{"failed-prompt", small, typed("x", "too slow", "enter"), nil},
		{"failed", small, keys("right", "d"), nil},
		{"past", small, keys("[", "[", "["), nil},
		{"past-first", small, keys("[", "{", "{", "{", "{", "{", "{"), nil},
		{"past-refused", small, keys("[", "d"), nil},
		{"work", work, keys(), nil},
		{"work-claimed", work, at("t-8o9p"), nil},
		{"work-conflict", work, at("t-4g5h"), nil},
		{"work-alone", work, keys("o"), nil},
		{"big", big, keys("pgdown", "pgdown", "down"), nil},
		{"big-filter", big, typed("/", "Task 99"), nil},
		{"empty", empty, keys(), nil},
		{"empty-filter", empty, typed("/", "x", "enter"), nil},
		{"words", words, keys(), nil},
		{"words-end", words, keys("end"), nil},
		{"words-task", words, at("t-w002", "enter"), nil},
		{"words-blocked", words, keys("right", "tab", "tab"), nil},
		{"words-prompt", words, at("t-w002", "f", "n"), nil},
		{"hostile", hostile, keys(), nil},
		{"hostile-task", hostile, keys("enter"), nil},
		{"hostile-past", hostile, keys("right", "["), nil},
	}
	looks := []struct {
		name string
		theme
		palette
		profile colorprofile.Profile
		ascii   *strings.Replacer
	}{
		{"dark", dark, darkPalette(), colorprofile.ANSI256, nil},
		{"light", light, lightPalette(), colorprofile.ANSI256, nil},
		{"plain", dark, darkPalette(), colorprofile.ASCII, nil},
		{"ascii", light, lightPalette(), colorprofile.ANSI256, asciiSigns()},
	}
	for _, s := range screens {
		sizes := s.sizes
		if sizes == nil {
			sizes = [][2]int{{80, 24}, {120, 40}, {160, 50}}
		}
		for _, size := range sizes {
			for _, look := range looks {
				name := fmt.Sprintf("%s-%dx%d-%s", s.name, size[0], size[1], look.name)
				if !strings.Contains(name, os.Getenv("GIT_RALPH_SCREEN")) || (look.profile == colorprofile.ASCII || look.ascii != nil) && size[0] != 80 {
					continue
				}
				u := open(t, s.repo, size[0], size[1])
				u.m.colours, u.m.ascii = look.palette, look.ascii
				s.do(u)
				lines, cursor := u.m.frame()
				svg := picture(shownBy(look.profile, lines), cursor, u.m.method, u.m.width, look.theme)
				if err := os.WriteFile(filepath.Join(dir, name+".svg"), []byte(svg), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// shownBy returns lines as a terminal of a profile gets them.
func shownBy(profile colorprofile.Profile, lines []string) []string {
	var b bytes.Buffer
	w := colorprofile.Writer{Forward: &b, Profile: profile}
	w.WriteString(strings.Join(lines, "\n")) //nolint:errcheck // a buffer takes it
	return strings.Split(b.String(), "\n")
}
