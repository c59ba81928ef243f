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
	of    func() *gittest.Repo
	do    func(*user)
	sizes [][2]int // nil: those of all
}

// A look is how a terminal shows a screen.
type look struct {
	name string
	theme
	palette
	profile colorprofile.Profile
	ascii   *strings.Replacer
	rare    bool // one size is enough
}

func looks() []look {
	return []look{
		{"dark", dark, darkPalette(), colorprofile.ANSI256, nil, false},
		{"light", light, lightPalette(), colorprofile.ANSI256, nil, false},
		{"plain", dark, darkPalette(), colorprofile.ASCII, nil, true}, // NO_COLOR, and TERM=dumb
		{"ascii", light, lightPalette(), colorprofile.ANSI256, asciiSigns(), true},
		{"16dark", theme{"#000000", "#e5e5e5"}, dark16Palette(), colorprofile.ANSI, nil, true},
		{"16light", light, light16Palette(), colorprofile.ANSI, nil, true},
	}
}

// TestScreens writes pictures of screens for people to look at, into the directory that GIT_RALPH_SCREENS names: those whose names have
// GIT_RALPH_SCREEN in them.
func TestScreens(t *testing.T) {
	dir := os.Getenv("GIT_RALPH_SCREENS")
	if dir == "" {
		t.Skip("GIT_RALPH_SCREENS is not set")
	}
	for _, s := range slices.Concat(smallScreens(t), otherScreens(t), rareScreens(t), changedScreens(t)) {
		sizes := s.sizes
		if sizes == nil {
			sizes = [][2]int{{80, 24}, {120, 40}, {160, 50}}
		}
		for _, size := range sizes {
			for _, l := range looks() {
				name := fmt.Sprintf("%s-%dx%d-%s", s.name, size[0], size[1], l.name)
				if !strings.Contains(name, os.Getenv("GIT_RALPH_SCREEN")) || l.rare && size[0] != 80 {
					continue
				}
				u := open(t, s.of(), size[0], size[1])
				u.m.colours, u.m.ascii = l.palette, l.ascii
				s.do(u)
				lines, cursor := u.m.frame()
				svg := picture(shownBy(l.profile, lines), cursor, u.m.method, u.m.width, l.theme)
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
