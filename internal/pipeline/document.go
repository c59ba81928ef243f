package pipeline

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ThoughtsSetting is the key of git's configuration that names the directory of documents, such as defaultThoughts.
const ThoughtsSetting = "ralph.thoughts"

const defaultThoughts = "thoughts/shared"

// DocumentDirectory returns the directory of documents, by the value of ThoughtsSetting, which may be "".
func DocumentDirectory(setting string) (string, error) {
	switch {
	case setting == "":
		return defaultThoughts, nil
	case !IsPlainPath(setting):
		return "", fmt.Errorf("invalid %s %q: want a directory in the worktree, such as %s", ThoughtsSetting, setting, defaultThoughts)
	}
	return setting, nil
}

// DocumentSteps returns the steps that write documents, in their order.
func DocumentSteps() []Step { return []Step{StepResearch, StepPlan, StepReview} }

// DocumentsBelow returns where the documents of a step are in the directory of documents, "" for steps that write none.
func DocumentsBelow(directory string, step Step) string {
	switch step {
	case StepResearch:
		return path.Join(directory, "research")
	case StepPlan:
		return path.Join(directory, "plans")
	case StepReview:
		return path.Join(directory, "reviews")
	}
	return ""
}

// DocumentPath returns where the document of the task is to be written below a directory: where it is already, as that of a plan that was rejected,
// else DIRECTORY/research|plans|reviews/YYYY-MM-DD-GH-NNNN-title.md, with "group-" or "stream-" before the number of its first item. It is "" for
// steps that write none.
func (b Brief) DocumentPath(directory string, today time.Time) string {
	below := DocumentsBelow(directory, b.Step)
	if below == "" {
		return ""
	}
	for _, d := range b.Documents {
		if d.Step == b.Step && slices.Contains(d.Items, b.primary.Ref()) && IsPlainPath(d.Path) {
			return d.Path
		}
	}
	name := b.primary.ID
	if n := b.primary.Number; n > 0 {
		name = fmt.Sprintf("GH-%04d", n)
	}
	switch {
	case b.Step.ofOneItem():
	case b.Stream != "":
		name = "stream-" + name
	case len(b.Members) > 1:
		name = "group-" + name
	}
	if slug := slugOf(b.primary.Title); slug != "" {
		name += "-" + slug
	}
	return path.Join(below, today.Format(time.DateOnly)+"-"+name+".md")
}

// NumberInName returns the number of the item that a document is named after, as DocumentPath names it; found is false for other files.
func NumberInName(name string) (number int, found bool) {
	m := regexp.MustCompile(`^\d{4}-\d{2}-\d{2}-(?:group-|stream-)?GH-0*(\d{1,15})[-.].*md$`).FindStringSubmatch(name)
	if m == nil {
		return 0, false
	}
	number, err := strconv.Atoi(m[1])
	return number, err == nil
}

// IsPlainPath reports whether a path names a file or directory in the worktree by plain characters, and none that is hidden.
func IsPlainPath(name string) bool {
	return filepath.IsLocal(name) && path.Clean(name) == name && name != "." && !strings.HasPrefix(name, ".") && !strings.Contains(name, "/.") &&
		!strings.ContainsFunc(name, func(c rune) bool { return c < ' ' || strings.ContainsRune("`\"'\\<>|*?:\x7f", c) })
}

// maxSlug is how long the part of a file's name may be that comes from a title.
const maxSlug = 40

// slugOf returns the words of a title as a part of a file's name.
func slugOf(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') })
	slug := ""
	for _, word := range words {
		if len(slug)+1+len(word) > maxSlug {
			break
		}
		slug += "-" + word
	}
	return strings.TrimPrefix(slug, "-")
}
