package board

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Sizes of a picture, in pixels.
const (
	cellWidth  = 8.4
	cellHeight = 18
)

// A theme is the colours of a terminal.
type theme struct{ background, text string }

var (
	dark  = theme{"#1b1d23", "#d6d8dd"}
	light = theme{"#ffffff", "#24272e"}
)

// picture draws a frame as an SVG.
func picture(lines []string, cursor *tea.Cursor, method ansi.Method, width int, look theme) string {
	var b strings.Builder
	w, h := float64(width)*cellWidth+16, len(lines)*cellHeight+16
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" font-family="DejaVu Sans Mono, Menlo, Consolas, Noto Sans Mono CJK JP, monospace" font-size="14" xml:space="preserve">`+"\n", w, h)
	fmt.Fprintf(&b, "<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"%s\"/>\n", look.background)
	for y, line := range lines {
		drawLine(&b, line, y, method, look)
	}
	if cursor != nil {
		fmt.Fprintf(&b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s" opacity="0.6"/>`+"\n", 8+float64(cursor.X)*cellWidth, 8+cursor.Y*cellHeight, cellWidth, cellHeight, look.text)
	}
	return b.String() + "</svg>\n"
}

// A cellStyle is what SGR parameters have set.
type cellStyle struct {
	text, back              string
	bold, underline, struck bool
}

func drawLine(b *strings.Builder, line string, y int, method ansi.Method, look theme) {
	style, x := cellStyle{}, 0
	for line != "" {
		if strings.HasPrefix(line, "\x1b[") {
			end := strings.IndexByte(line, 'm')
			style.set(line[2:end])
			line = line[end+1:]
			continue
		}
		text := line
		if end := strings.IndexByte(line, '\x1b'); end >= 0 {
			text = line[:end]
		}
		line = line[len(text):]
		for text != "" { // a character that is wide has a place of its own, whatever the font makes of it
			part := narrowPart(text)
			n := method.StringWidth(part)
			style.draw(b, part, x, y, n, look)
			x, text = x+n, text[len(part):]
		}
	}
}

// narrowPart returns the beginning of a text that is drawn at once: a wide character, or what is before the next one.
func narrowPart(text string) string {
	for i := 0; i < len(text); {
		cluster, width := ansi.FirstGraphemeCluster(text[i:], ansi.GraphemeWidth)
		if width > 1 {
			if i == 0 {
				return cluster
			}
			return text[:i]
		}
		i += len(cluster)
	}
	return text
}

func (s *cellStyle) set(parameters string) {
	p := strings.Split(parameters, ";")
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case "", "0":
			*s = cellStyle{}
		case "1":
			s.bold = true
		case "4":
			s.underline = true
		case "9":
			s.struck = true
		case "39":
			s.text = ""
		case "49":
			s.back = ""
		case "38":
			s.text = colour256(p[i+2])
			i += 2
		case "48":
			s.back = colour256(p[i+2])
			i += 2
		default:
			s.setOf16(p[i])
		}
	}
}

// setOf16 sets one of the 16 colours that old terminals have.
func (s *cellStyle) setOf16(parameter string) {
	n, _ := strconv.Atoi(parameter)
	switch {
	case n >= 30 && n < 38:
		s.text = colour256(strconv.Itoa(n - 30))
	case n >= 90 && n < 98:
		s.text = colour256(strconv.Itoa(n - 82))
	case n >= 40 && n < 48:
		s.back = colour256(strconv.Itoa(n - 40))
	case n >= 100 && n < 108:
		s.back = colour256(strconv.Itoa(n - 92))
	}
}

func (s *cellStyle) draw(b *strings.Builder, text string, x, y, n int, look theme) {
	left := 8 + float64(x)*cellWidth
	if s.back != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", left, 8+y*cellHeight, float64(n)*cellWidth, cellHeight, s.back)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	trimmed := strings.TrimLeft(text, " ")
	left += float64(len(text)-len(trimmed)) * cellWidth
	trimmed = strings.TrimRight(trimmed, " ")
	fill := s.text
	if fill == "" {
		fill = look.text
	}
	more := ""
	if s.bold {
		more += ` font-weight="bold"`
	}
	if s.underline {
		more += ` text-decoration="underline"`
	}
	if s.struck {
		more += ` text-decoration="line-through"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" fill="%s"%s>%s</text>`+"\n", left, 8+y*cellHeight+13, fill, more, html.EscapeString(trimmed))
}

// colour256 returns one of the 256 colours of terminals, as xterm has it.
func colour256(number string) string {
	n, _ := strconv.Atoi(number)
	if n < 16 {
		return [...]string{
			"#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
			"#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
		}[n]
	}
	if n >= 232 {
		grey := 8 + (n-232)*10
		return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
	}
	n -= 16
	level := func(v int) int {
		if v == 0 {
			return 0
		}
		return 55 + v*40
	}
	return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
}

// TestPicture: the picture in the documents is what the board draws. With GIT_RALPH_UPDATE=1 it is written.
func TestPicture(t *testing.T) {
	versions := smallPlan()
	plain := regexp.MustCompile(`"id": "t-(5i6j|6k7l|7m8n|9q0r)"`) // the fonts of readers draw other scripts in other widths
	for i := range versions {
		versions[i].lines = slices.DeleteFunc(versions[i].lines, plain.MatchString)
	}
	last := versions[len(versions)-1]
	accepted := slices.DeleteFunc(slices.Clone(last.lines), regexp.MustCompile(`"id": "t-0s1t"`).MatchString)
	for i, line := range accepted {
		if strings.Contains(line, `"id": "t-1a2b"`) {
			accepted[i] = done(line, "c333")
		}
	}
	accepted = append(accepted, task("t-8o9p", "Follow symbolic links", `"notes": "Not out of the root."`), task("t-2q3r", "Show directories that have no tests", `"priority": "medium"`))
	r := newRepo(t, append(versions, version{"bob@example.com", "ralph: accept", 20 * time.Minute, accepted})...)
	u := open(t, r, 144, 34)
	u.run(u.m.jump("t-8o9p"))
	u.press("c")
	u.m.note = note{}
	u.run(u.m.jump("t-8o9p"))
	u.m.card().Since = now.Add(-12 * time.Minute) // the claim itself has the time of the clock
	u.run(u.m.jump("t-1a2b"))
	u.screen()
	lines, cursor := u.m.frame()
	got := picture(lines, cursor, u.m.method, u.m.width, dark)
	if len(got) > 40<<10 {
		t.Errorf("the picture has %d bytes", len(got))
	}
	path := filepath.Join("..", "..", "docs", "pictures", "board.svg")
	if os.Getenv("GIT_RALPH_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the board does not look as in %s; GIT_RALPH_UPDATE=1 writes the picture:\n%s", path, u.screen())
	}
}
