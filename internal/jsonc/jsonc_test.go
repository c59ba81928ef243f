package jsonc_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"git-ralph/internal/jsonc"
)

func isOurs(v *jsonc.Value) bool { return v.Get("command").Str() == "ours" }

const ours = `{"command": "ours"}`

func add(t *testing.T, src string, exists bool) string {
	t.Helper()
	out := src
	for i, event := range []string{"Stop", "Start", "Tool"} {
		next, err := jsonc.Add(out, exists || i > 0, []string{"hooks", event}, ours)
		if err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		out = next
	}
	out, err := jsonc.AddMember(out, true, []string{"servers", "ours"}, ours)
	if err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	out, err = jsonc.SetMissing(out, "version", "1")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// checkRestored adds, checks that it is there and readable, and removes.
func checkRestored(t *testing.T, src string, exists bool) {
	t.Helper()
	added := add(t, src, exists)
	root, err := jsonc.Parse(added)
	if err != nil {
		t.Fatalf("%q became %q: %v", src, added, err)
	}
	for _, event := range []string{"Stop", "Start", "Tool"} {
		list := root.Get("hooks").Get(event)
		if !list.IsArray() || len(list.Members) == 0 || !isOurs(&list.Members[len(list.Members)-1]) {
			t.Fatalf("%q became %q", src, added)
		}
	}
	if !isOurs(root.Get("servers").Get("ours")) {
		t.Fatalf("%q became %q", src, added)
	}
	removed, gone, err := jsonc.Remove(added, isOurs)
	if err != nil || gone == exists || exists && removed != src {
		t.Fatalf("%q became\n%q and then\n%q, gone %v, %v", src, added, removed, gone, err)
	}
}

// TestRestores guards: what was added is removed byte for byte, whatever the file looks like.
func TestRestores(t *testing.T) {
	checkRestored(t, "", false)
	for _, src := range []string{
		"", "\n", " \r\n\t", "\ufeff", "\ufeff\n", "// nothing\n", "/* { */", "{}", "{ }", "{\n}", "{\n}\n", "\ufeff{}", "{ // nothing\n}", "{}\r\n",
		`{"a": 1}`, "{\n  \"a\": 1\n}\n", "{\n\t\"a\": 1, // one\n}\n", "{\r\n    \"a\": [1, 2,],\r\n}\r\n", `{"hooks": {}}`, "{\n  \"hooks\": {}\n}", "{\n  \"hooks\": {\n  }\n}",
		`{"hooks":{"Stop":[]}}`, `{"hooks": {"Stop": [ ]}}`, `{"hooks": {"Stop": [{"command": "mine"}], "Start": [/* none */]}}`,
		"{\n  \"hooks\": {\n    \"Stop\": [\n      {\"command\": \"mine\"}, // first\n    ], // last\n  },\n  \"version\": 1\n}\n",
		`{"hooks": {"Stop": [{"hooks": [{"command": "mine"}]}]}, "deep": [[[{"command": "mine"}]]]}`, `{"hooks": {"Tool": []}, "hooks": {"Stop": []}}`,
		`{ "version":1}`, `{"servers": {}}`, "{\n  \"servers\": {\"a\": {}}\n}", "{\"a\":\"\\\"{//\"}",
	} {
		checkRestored(t, src, true)
	}
}

// TestRestoresRandomFiles guards the same for files drawn at random: comments, trailing commas, line ends, entries of others.
func TestRestoresRandomFiles(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		checkRestored(t, drawFile(random), true)
	}
}

// drawFile returns a file of settings in some layout.
func drawFile(random *rand.Rand) string {
	space := func() string {
		all := []string{"", "", " ", "\n", "\n  ", "\t", "\r\n", " /* c */ ", "// c, { }\n"}
		return all[random.IntN(len(all))]
	}
	var value func(depth int) string
	list := func(open, end string, n int, item func(i int) string) string {
		var b strings.Builder
		b.WriteString(open + space())
		for i := range n {
			b.WriteString(item(i) + space())
			if i+1 < n || random.IntN(4) == 0 {
				b.WriteString("," + space())
			}
		}
		return b.String() + end
	}
	value = func(depth int) string {
		switch n := random.IntN(7); {
		case n == 0 && depth < 4:
			return list("[", "]", random.IntN(3), func(int) string { return value(depth + 1) })
		case n == 1 && depth < 4:
			return list("{", "}", random.IntN(3), func(i int) string { return `"k` + string(rune('a'+i)) + `"` + space() + ":" + space() + value(depth+1) })
		case n == 2:
			return `{"command": "mine"}`
		}
		return []string{`"a,]}"`, "1", "-2.5e3", "true", "null", `"日本 \u00e9 \\"`}[random.IntN(6)]
	}
	events := []string{"Stop", "Start", "Tool", "Other"}
	hooks := func() string {
		picked := random.Perm(len(events))[:random.IntN(len(events)+1)]
		return list("{", "}", len(picked), func(i int) string {
			return `"` + events[picked[i]] + `"` + space() + ":" + space() + list("[", "]", random.IntN(3), func(int) string { return value(3) })
		})
	}
	root := list("{", "}", random.IntN(5), func(i int) string {
		if i == 1 {
			return `"hooks"` + space() + ":" + space() + hooks()
		}
		if i == 2 {
			return `"servers": ` + list("{", "}", random.IntN(3), func(i int) string { return `"s` + string(rune('a'+i)) + `": {"command": "mine"}` })
		}
		return `"m` + string(rune('a'+i)) + `"` + space() + ":" + space() + value(0)
	})
	return []string{"", "\ufeff"}[random.IntN(2)] + space() + root + space()
}

// TestRefuses guards: what is no JSON, and what is of another kind, is an error that names the place.
func TestRefuses(t *testing.T) {
	for src, want := range map[string]error{
		"{": jsonc.ErrSyntax, "{\"a\" 1}": jsonc.ErrSyntax, "[1 2]": jsonc.ErrSyntax, "{} {}": jsonc.ErrSyntax, "nul": jsonc.ErrSyntax, "{\"a\": /* ": jsonc.ErrSyntax,
		`"a`: jsonc.ErrSyntax, "[]": jsonc.ErrKind, `{"hooks": []}`: jsonc.ErrKind, `{"hooks": {"Stop": {}}}`: jsonc.ErrKind, strings.Repeat("[", 1000): jsonc.ErrSyntax,
	} {
		if _, err := jsonc.Add(src, true, []string{"hooks", "Stop"}, ours); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", src, err, want)
		}
	}
}

// TestRemoveKeepsWhatWasAddedSince guards: what somebody added to a file that we made stays, with what is around it.
func TestRemoveKeepsWhatWasAddedSince(t *testing.T) {
	made := add(t, "", false)
	changed := strings.Replace(made, "["+ours+"]", `[{"command": "mine"}, `+ours+"]", 1)
	removed, gone, err := jsonc.Remove(changed, isOurs)
	if err != nil || gone || !strings.Contains(removed, "mine") || strings.Contains(removed, "ours") || !strings.Contains(removed, "version") {
		t.Errorf("%q, gone %v, %v", removed, gone, err)
	}
	if root, err := jsonc.Parse(removed); err != nil || !root.Get("hooks").Get("Stop").IsArray() || root.Get("hooks").Get("Tool") != nil {
		t.Errorf("%q: %v", removed, err)
	}
}
