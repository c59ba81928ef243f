//go:build web

package webpage_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// ralph runs git ralph, and returns what it prints.
func ralph(t testing.TB, r *gittest.Repo, args ...string) string {
	t.Helper()
	out, err := r.Run("git", append([]string{"ralph"}, args...)...)
	if err != nil {
		t.Fatalf("git ralph %q: %v\n%s", args, err, out)
	}
	return out
}

// addTask adds a task, and returns its id.
func addTask(t testing.TB, r *gittest.Repo, args ...string) string {
	t.Helper()
	var added struct{ Changed []struct{ ID string } }
	out := ralph(t, r, append([]string{"task", "add", "--json"}, args...)...)
	if err := json.Unmarshal([]byte(out[strings.Index(out, "{"):]), &added); err != nil || len(added.Changed) != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	return added.Changed[0].ID
}

// smallRepo makes a repository with a task in every column, and one with a history.
func smallRepo(t testing.TB) *gittest.Repo {
	t.Helper()
	r := newRepo(t)
	r.Commit("start", map[string]string{"spec.md": "# What is to be built\n"})
	r.Git("config", "ralph.target", r.Git("symbolic-ref", "--short", "HEAD"))
	ralph(t, r, "init", "--spec", "spec.md", "--yes")
	parser := addTask(t, r, "Write the parser", "--accept", "go test ./parser passes", "--priority", "high", "--label", "core")
	japanese := addTask(t, r, "解析器のエラーメッセージを日本語に翻訳し、長い行を折り返す 🎉🚀 and a name that goes on until it no longer fits into two lines of a column", "--label", "i18n")
	addTask(t, r, "كتابة الاختبارات للمحلل (with English inside) ثم المراجعة", "--priority", "low")
	stream := addTask(t, r, "Stream large files instead of reading them", "--dep", parser, "--priority", "high")
	addTask(t, r, "Wire the new parser into the command line", "--dep", stream, "--dep", japanese, "--label", "cli")
	document := addTask(t, r, "Document the error codes", "--notes", "List each code, what it means, and what to do about it.")
	tokenizer, lexer := addTask(t, r, "Remove the old tokenizer"), addTask(t, r, "Benchmark the lexer")
	ralph(t, r, "issue", "add", "The parser test is flaky on CI", "--label", "ci")
	ralph(t, r, "task", "edit", document, "--notes", "List every error code, what it means for people, and what they can do about it.")
	ralph(t, r, "task", "done", document, tokenizer, lexer)
	ralph(t, r, "task", "reject", document, "There is no example for code 7.")
	ralph(t, r, "task", "accept", lexer)
	ralph(t, r, "claim", parser)
	return r
}

// hostileTexts run where they are read as markup, disorder what stands beside them, or have no end.
func hostileTexts() []string {
	return []string{
		`<script>window.ran = "script"</script>`, `<img src=x onerror="window.ran = 'img'">`, `<svg onload="window.ran = 'svg'"><a xlink:href="javascript:window.ran='a'">x</a></svg>`,
		`</style><style>*{display:none!important}</style>`, `javascript:window.ran='url'`, `"><iframe srcdoc="<script>parent.ran='frame'</script>">`,
		"\u202eright to left \u2066 isolate without end", "\u0000\u0001\u001b[31mred\u007f\u009b31m", "{{constructor.constructor('window.ran=1')()}}${window.ran=2}",
		strings.Repeat("W", 3000), strings.Repeat("e\u0301\u0302\u0303\u0304", 200), "\u200b\ufeff", strings.Repeat("long words in a line ", 300), "&lt;b&gt;&amp;&#0;", "a\nb\r\nc\td",
	}
}

// hostileRepo makes a repository whose plan has hostile texts in every field.
func hostileRepo(t testing.TB) *gittest.Repo {
	t.Helper()
	r := newRepo(t)
	lines := []string{`{"t": "spec", "spec": "spec.md"}`}
	quote := func(v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for i, text := range hostileTexts() {
		list := quote([]string{text, text})
		lines = append(lines, fmt.Sprintf(`{"t": "task", "id": "t-%02d", "spec": %[2]s, "name": %[2]s, "notes": %[2]s, "accept": %[2]s, "s": "p", "priority": %[2]s, "role": %[2]s, "labels": %[3]s, "check": %[3]s, "meta": {"key": %[2]s, %[2]s: 1}, %[4]s: %[2]s}`,
			i, quote(text), list, quote("x"+text)))
		lines = append(lines, fmt.Sprintf(`{"t": "issue", "id": "i-%02d", "spec": "spec.md", "desc": %s, "labels": %s}`, i, quote(text), list))
		if i > 0 {
			lines = append(lines, fmt.Sprintf(`{"t": "task", "id": "t-w%02d", "spec": "spec.md", "name": %s, "s": "p", "deps": ["t-%02d"]}`, i, quote(text), i-1))
		}
	}
	r.Commit("hostile <script>window.ran='commit'</script>", map[string]string{"spec.md": "spec\n", "ralph/plan.jsonl": strings.Join(lines, "\n") + "\n"})
	return r
}

// largeRepo makes a repository with a plan of n tasks.
func largeRepo(t testing.TB, n int) *gittest.Repo {
	t.Helper()
	r := newRepo(t)
	head := r.Commit("start", map[string]string{"spec.md": "spec\n"})[:12]
	drawn := rand.New(rand.NewPCG(1, 2))
	pick := func(words ...string) string { return words[drawn.IntN(len(words))] }
	lines := []string{`{"t": "spec", "spec": "spec.md"}`}
	for i := range n {
		line := fmt.Sprintf(`{"t": "task", "id": "t-%05d", "spec": "spec.md", "name": "Task %[1]d: %s the %s of the %s", "notes": "How it is done, step by step, with all that has to be known about it.", "accept": "go test ./... passes"`,
			i, pick("write", "test", "review", "measure"), pick("parser", "lexer", "cache", "index"), pick("server", "client", "loop", "page"))
		if i%10 == 0 {
			line += fmt.Sprintf(`, "s": "d", "done_at": "%s", "attempt": "a%05d"`, head, i)
		} else {
			line += `, "s": "p"`
		}
		if i > 10 && drawn.IntN(5) < 2 {
			line += fmt.Sprintf(`, "deps": ["t-%05d"]`, i-1-drawn.IntN(min(i-1, 200)))
		}
		lines = append(lines, line+fmt.Sprintf(`, "priority": "%s", "created_at": "2026-10-%02dT10:%02d:%02d.000Z"}`, pick("high", "medium", "low"), 1+i%27, i%60, i/60%60))
	}
	r.Commit("plan", map[string]string{"ralph/plan.jsonl": strings.Join(lines, "\n") + "\n"})
	ralph(t, r, "check")
	return r
}
