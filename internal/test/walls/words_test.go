package walls

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// A term is a word of the project with the words and phrases that it replaces, between commas.
type term struct{ use, not string }

// terms holds the words that are not used, for each the one that is. They are looked for in the names of files, in
// identifiers (which count as the words that they are made of), comments, strings, help and documents.
var terms = []term{
	{"event, reported, returned, or reports whether", "tell, tells, told, telling, teller, tellers, the story of"},
	{"message, trailer, or received", "hear, hears, heard, speech, witness, witnesses"},
	{"repair", "mend, mends, mended, mending"},
	{"timeout, or max idle iterations", "patience"},
	{"repository", "patient, patients"},
	{"stop requested, or stop now", "softly, hurry"},
	{"roster, or runners", "crew, crews"},
	{"shallow boundary, or missing object", "blind, border, borders, not at hand"},
	{"alternates, or shared", "lent, borrow, borrows, borrowed"},
	{"control characters", "steering, steers"},
	{"left uncommitted, or remaining", "unkept, left over"},
	{"unpushed", "owed, owes"},
	{"deferred", "put off, puts off, putting off"},
	{"ignore SIGINT, notify on stop, or survive", "undisturbed, outlive, outlives, outlived"},
	{"recover the previous run, or resume", "take up, takes up, taken up, took up"},
	{"fit to the context window", "fitting"},
	{"matches, or reconciles", "believe, believes, believed"},
	{"word diff", "prose by words"},
	{"amend", "made anew, make anew, makes anew"},
	{"directory", "folder, folders"},
	{"the question itself, such as reports whether", "is asked, are asked, was asked, were asked, been asked"},
	{"layer", "floor, floors"},
}

// names holds words that are no part of an identifier; one with a hyphen before it is no identifier by itself.
var names = []term{{"max", "most"}, {"min", "least"}, {"default", "usual"}, {"input, value, or id", "-given"}}

// A word is a run of letters of one case after at most one capital, and where it stands.
type word struct {
	text string
	line int
}

// wordsOf returns the words of a text in order, in small letters.
func wordsOf(text string) []word {
	parts := regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+|\n`)
	line, words := 1, []word(nil)
	for _, part := range parts.FindAllString(text, -1) {
		if part == "\n" {
			line++
			continue
		}
		words = append(words, word{strings.ToLower(part), line})
	}
	return words
}

// phrases maps the first word of each phrase of a list to the phrases.
func phrases(list []term) map[string][][]string {
	byFirst := map[string][][]string{}
	for _, it := range list {
		for phrase := range strings.SplitSeq(it.not, ", ") {
			words := strings.Fields(phrase)
			byFirst[words[0]] = append(byFirst[words[0]], words)
		}
	}
	return byFirst
}

// instead returns the term that replaces a phrase.
func instead(list []term, phrase string) string {
	at := slices.IndexFunc(list, func(it term) bool { return slices.Contains(strings.Split(it.not, ", "), phrase) })
	return list[at].use
}

// TestWords keeps to one word for one thing.
func TestWords(t *testing.T) {
	top, wanted := root(t), phrases(terms)
	used := map[string]bool{}
	for _, path := range tracked(t) {
		data, err := os.ReadFile(filepath.Join(top, path))
		if err != nil || !utf8.Valid(data) || slices.Contains([]string{"LICENSE", "go.sum", "tools.sum"}, path) {
			continue
		}
		words := wordsOf(path + "\n" + string(data))
		for i, first := range words {
			for _, phrase := range wanted[first.text] {
				if !begins(words[i:], phrase) {
					continue
				}
				text := strings.Join(phrase, " ")
				if entry := allowance(path, text); entry != "" {
					used[entry] = true
					continue
				}
				t.Errorf("%s:%d: %q; the word is: %s", path, max(1, first.line-1), text, instead(terms, text))
			}
		}
	}
	for entry := range allowed {
		if !used[entry] {
			t.Logf("nothing needs the allowance of %s any more", entry)
		}
	}
}

// begins reports whether words begin with those of a phrase.
func begins(words []word, phrase []string) bool {
	return len(words) >= len(phrase) && slices.EqualFunc(words[:len(phrase)], phrase, func(w word, p string) bool { return w.text == p })
}

// allowance returns the entry that lets a phrase stand in a file, "" where none does.
func allowance(path, phrase string) string {
	for entry, only := range allowed {
		inside := entry == path || strings.HasSuffix(entry, "/") && strings.HasPrefix(path, entry)
		if inside && (only == "" || slices.Contains(strings.Split(only, ", "), phrase)) {
			return entry
		}
	}
	return ""
}

// TestNames does the same for words that mislead in identifiers alone.
func TestNames(t *testing.T) {
	for _, f := range source(t) {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || id.Obj == nil || id.Obj.Pos() != id.Pos() {
				return true // where it is declared is enough
			}
			for _, it := range names {
				whole, isWhole := strings.CutPrefix(it.not, "-")
				part := slices.ContainsFunc(wordsOf(id.Name), func(w word) bool { return w.text == it.not })
				if (part || isWhole && id.Name == whole) && allowance(f.path, whole) == "" {
					t.Errorf("%s:%d: the name %s; the word is: %s", f.path, f.line(id), id.Name, it.use)
				}
			}
			return true
		})
	}
}

// allowed maps a directory (which ends in "/") or a file to the phrases that it may hold; to "" for all of them. It only
// shrinks: directories are to be reworded, and their lines removed.
var allowed = map[string]string{
	"cmd/":                           "",              // contents of scenarios, in tests
	"internal/test/":                 "",              // texts and names of tests
	"internal/web/page/":             "border, floor", // of CSS and JavaScript
	"internal/install/block.go":      "folders",       // in blocks that older programs wrote
	"internal/install/block_test.go": "folders",
	"internal/store/pending.go":      "put off", // a file that older hooks look for
	"githooks/post-commit":           "put off",
}
