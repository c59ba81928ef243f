package svg

import (
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/view"
	"git-ralph/internal/view/layout"
)

// hostile are texts that mean something to a reader of XML, to a browser, or to a terminal.
func hostile() []string {
	return []string{
		`<script>alert(1)</script>`, `"><image href="https://example.org/x" onload="alert(1)"/>`, `]]>&lol;<!-- --><![CDATA[`, `' onclick='alert(1)`,
		"a\u202egnp.exe\u2066\u2069", "\x1b[31mred\x07\x00", "\ufffe\uffff", "javascript:alert(1)", strings.Repeat("W", 500), "עברית ثم عربي", "👩‍👩‍👧‍👦",
	}
}

// hostileData returns a plan in which every text is hostile.
func hostileData(t *testing.T) *view.Data {
	var b strings.Builder
	before := "[]"
	for i, text := range hostile() {
		id := "t-" + string(rune('a'+i)) + "0"
		quoted := string(jsonl.Quote(text))
		b.WriteString(`{"t": "task", "id": "` + id + `", "name": ` + quoted + `, "notes": ` + quoted + `, "spec": "a.md", "deps": ` + before + `, "s": "p"}` + "\n")
		before = `["` + id + `"]`
	}
	p, problems := plan.Decode(b.String())
	if !problems.Readable() {
		t.Fatal(problems)
	}
	return &view.Data{Plan: p, Schedule: schedule.Of(p)}
}

// checkPicture guards what a picture may have: it is valid XML; it has no script, no reference to anything outside itself, no
// attribute that runs something, and no character that controls a terminal or the direction of writing. It returns its texts.
func checkPicture(t *testing.T, picture string) string {
	t.Helper()
	var texts strings.Builder
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("no XML: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "svg", "title", "desc", "style", "g", "rect", "path", "text", "line":
			default:
				t.Errorf("element %s", token.Name.Local)
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "style" || a.Name.Local == "href" {
					t.Errorf("attribute %s=%q", a.Name.Local, a.Value)
				}
			}
		case xml.CharData:
			texts.Write(token)
		case xml.ProcInst, xml.Directive:
			t.Errorf("%v", token)
		}
	}
	if at := strings.IndexFunc(picture, func(r rune) bool {
		return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
	}); at >= 0 {
		t.Errorf("control character %q", picture[at:at+4])
	}
	if strings.Contains(picture, "url(") || strings.Contains(picture, "@import") {
		t.Error("the style refers to something")
	}
	return texts.String()
}

// TestHostileGraph guards: whatever names are, a picture is what checkPicture accepts, and shows them.
func TestHostileGraph(t *testing.T) {
	g := hostileData(t).Graph(view.GraphOptions{})
	for _, o := range []Options{{}, {Page: true}} {
		texts := checkPicture(t, Graph(g, o))
		for _, want := range []string{"<script>alert(1)</script>", `\u202e`, `\x1b[31mred`, "t-a0", "blocked"} {
			if !strings.Contains(texts, want) {
				t.Errorf("the texts lack %q:\n%s", want, texts)
			}
		}
	}
}

// TestPageHasStyle guards: what becomes part of a page brings no style of its own, which its policy would refuse.
func TestPageHasStyle(t *testing.T) {
	g := hostileData(t).Graph(view.GraphOptions{})
	if picture := Graph(g, Options{Page: true}); strings.Contains(picture, "<style") {
		t.Error("it has a style")
	}
	if picture := Graph(g, Options{}); !strings.Contains(picture, Stylesheet()) || !strings.Contains(picture, `role="img"`) {
		t.Error("a picture that stands alone has no style or no role")
	}
}

// TestRightToLeft guards: a name that is written from right to left begins at the right edge.
func TestRightToLeft(t *testing.T) {
	for text, want := range map[string]bool{"עברית": true, "1. عربي": true, "Fix עברית": false, "": false, "日本": false} {
		if view.RightToLeft(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// TestEveryEdgeIsDrawn guards: a line ends at each place that an edge leads to, level ones too.
func TestEveryEdgeIsDrawn(t *testing.T) {
	g := exampleData(t).Graph(view.GraphOptions{})
	ends := map[layout.Point]bool{}
	for _, found := range regexp.MustCompile(`class="edge[^>]* d="([^"]*)"`).FindAllStringSubmatch(Graph(g, Options{}), -1) {
		at := layout.Point{}
		for _, command := range regexp.MustCompile(`([MHC])([0-9 ]+)`).FindAllStringSubmatch(found[1], -1) {
			numbers := strings.Fields(command[2])
			at.X, _ = strconv.Atoi(numbers[max(0, len(numbers)-2)])
			if command[1] != "H" {
				at.Y, _ = strconv.Atoi(numbers[len(numbers)-1])
			}
			ends[at] = ends[at] || command[1] != "M"
		}
	}
	for _, e := range g.Edges {
		if last := e.Points[len(e.Points)-1]; !ends[last] {
			t.Errorf("no line from %s to %s", g.Nodes[e.From].ID(), g.Nodes[e.To].ID())
		}
	}
}

// TestEscapedIDHasItsPlace guards: the status of a node is beside its id, where that is shown escaped too, and a name of wide signs is
// made to fit.
func TestEscapedIDHasItsPlace(t *testing.T) {
	p, _ := plan.Decode(`{"t": "task", "id": "a\u202eb", "name": "` + strings.Repeat("&", 100) + `", "s": "p"}` + "\n")
	picture := Graph((&view.Data{Plan: p, Schedule: schedule.Of(p)}).Graph(view.GraphOptions{}), Options{})
	if want := fmt.Sprintf(`x="%d" y="19">ready<`, textLeft+8+7*len(`a\u202eb`)); !strings.Contains(picture, want) {
		t.Errorf("no %s in %s", want, picture)
	}
	for _, found := range regexp.MustCompile(`class="name"[^>]*>([^<]*)<`).FindAllStringSubmatch(picture, -1) {
		if line := html.UnescapeString(found[1]); view.TextWidth(line) > 240-12-textRight {
			t.Errorf("too wide: %s", line)
		}
	}
}
