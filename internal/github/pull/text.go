package pull

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
)

// A Subject is what a pull request is about.
type Subject struct {
	Title     string
	Issues    []int // that it closes
	Items     []string
	Documents []Document
}

// A Document is one that was written on the way.
type Document struct {
	Phase string
	Path  string // in the repository
}

// maxTitle is the length of a title, in characters; GitHub takes no more than 256.
const maxTitle = 200

// TitleLine returns the title: one line, without control characters.
func (s Subject) TitleLine() string {
	text := []rune(strings.Join(strings.Fields(clean(s.Title)), " "))
	if len(text) > maxTitle {
		text = append(text[:maxTitle-1], '…')
	}
	return string(text)
}

// Body returns the description. at is the URL below which files of the branch with the documents are. Nothing that an item says is in
// it: a description can close other issues and call people.
func (s Subject) Body(at string) string {
	var b strings.Builder
	for _, number := range s.Issues {
		fmt.Fprintf(&b, "Closes #%d\n", number)
	}
	for _, id := range s.Items {
		fmt.Fprintf(&b, "Item `%s`\n", plain(id))
	}
	if len(s.Documents) > 0 {
		b.WriteByte('\n')
	}
	for _, d := range s.Documents {
		var path []string
		for part := range strings.SplitSeq(d.Path, "/") {
			path = append(path, url.PathEscape(part))
		}
		fmt.Fprintf(&b, "- %s: [%s](%s/%s)\n", plain(d.Phase), plain(d.Path), at, strings.NewReplacer("(", "%28", ")", "%29").Replace(strings.Join(path, "/")))
	}
	return b.String()
}

// plain replaces what means something in Markdown.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./ ", r) {
			return r
		}
		return '?'
	}, text)
}

// clean removes control characters, and those that change the direction of a text or are invisible. Line breaks become spaces.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
}
