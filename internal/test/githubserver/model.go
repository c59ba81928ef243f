package githubserver

import (
	"fmt"
	"slices"
	"time"
)

// Viewer is the user whose token a server accepts.
const Viewer = "ralph-bot"

// An Issue is one of the repository. A test may change it within Do.
type Issue struct {
	Number           int
	Title, Body      string
	State, Reason    string // "open" or "closed", and why it was closed
	Labels           []string
	Assignees        []string
	Parent           int
	BlockedBy        []int
	Comments         []*Comment
	Author           string
	Created, Updated string
	Closed           string // when; "": when it was changed last
	InProject        bool
	Fields           map[string]string // of the project, by name
	IsPull           bool              // it is a pull request: these have numbers of issues
	Gone             Going
	OtherParent      string   // a repository: the issue with the number Parent is there
	OtherBlockers    []string // repositories: a first issue of each blocks this one
}

// A Going is how an issue left the repository.
type Going int

// The ways.
const (
	Stayed Going = iota
	Deleted
	Transferred
)

// A Comment is one of an issue.
type Comment struct {
	ID      int
	Author  string
	Body    string
	Created string
}

// A model is what the repository has.
type model struct {
	Issues   []*Issue            // by number, from 1
	Project  int                 // the number of the project; 0: there is none
	Options  map[string][]string // of the project's fields
	comments int
	clock    int
}

func newModel() *model {
	return &model{Options: map[string][]string{
		"Workflow State": {"Backlog", "Research Needed", "Ready for Plan", "In Progress", "In Review", "Done", "Canceled", "Human Needed"},
		"Estimate":       {"XS", "S", "M", "L", "XL"},
	}}
}

// time returns the next second of GitHub's clock.
func (m *model) time() string {
	m.clock++
	return time.Date(2026, 1, 1, 0, 0, m.clock, 0, time.UTC).Format(time.RFC3339)
}

// Add adds an issue, open and by the viewer where it does not say otherwise.
func (m *model) Add(i *Issue) *Issue {
	i.Number, i.Created = len(m.Issues)+1, m.time()
	i.Updated = i.Created
	if i.State == "" {
		i.State = "open"
	}
	if i.Author == "" {
		i.Author = Viewer
	}
	if i.Fields == nil {
		i.Fields = map[string]string{}
	}
	m.Issues = append(m.Issues, i)
	return i
}

// Comment adds a comment.
func (m *model) Comment(i *Issue, author, body string) *Comment {
	m.comments++
	c := &Comment{ID: 1000 + m.comments, Author: author, Body: body, Created: m.time()}
	i.Comments = append(i.Comments, c)
	i.Updated = c.Created
	return c
}

// Issue returns the issue with a number, nil where there is none.
func (m *model) Issue(number int) *Issue {
	if number < 1 || number > len(m.Issues) {
		return nil
	}
	return m.Issues[number-1]
}

// Touch changes when an issue was changed last.
func (m *model) Touch(i *Issue) { i.Updated = m.time() }

// addTo adds texts that a list does not have.
func addTo[T comparable](list *[]T, more ...T) {
	for _, one := range more {
		if !slices.Contains(*list, one) {
			*list = append(*list, one)
		}
	}
}

// databaseID returns the id of an issue in the REST interface.
func (i *Issue) databaseID() int { return 900_000 + i.Number }

// nodeID returns the id of an issue in the GraphQL interface.
func (i *Issue) nodeID() string { return fmt.Sprintf("I_kwDO%06d", i.Number) }

func association(login string) string {
	if login == Viewer {
		return "OWNER"
	}
	return "NONE"
}
