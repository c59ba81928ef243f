package mirror

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// A document is what a phase writes, and the heading of its comment.
type document struct {
	phase   string
	heading string
}

// documents returns the documents that are posted.
func documents() []document {
	return []document{
		{string(pipeline.StepResearch), "## Research Document"},
		{string(pipeline.StepPlan), "## Implementation Plan"},
		{string(pipeline.StepReview), "## Plan Review"},
		{string(pipeline.StepImplement), "## Implementation Complete"},
	}
}

// A Post is a comment that an issue is to have once.
type Post struct {
	Key  string // what it is about, such as "research thoughts/shared/research/x.md"
	Body string
}

// marker is the marker of a post, by which it is found.
func (p Post) marker() string { return marker("comment", p.Key) }

// Has reports whether an issue has a comment about a key. Those of strangers do not count.
func (i Issue) Has(key string) bool {
	return slices.ContainsFunc(i.Comments, func(c Comment) bool { return c.Trusted && strings.Contains(c.Body, Post{Key: key}.marker()) })
}

// postedOf returns the keys that an issue has comments about, with those that were seen before: of many comments, only the newest are read.
func postedOf(i Issue, b base) []string {
	posted := slices.Clone(b.posted)
	for _, c := range i.Comments {
		_, rest, found := strings.Cut(c.Body, markerStart+"comment ")
		key, _, closed := strings.Cut(rest, " -->")
		if found && closed && c.Trusted && !slices.Contains(posted, key) {
			posted = append(posted, key)
		}
	}
	slices.Sort(posted)
	return posted
}

// readArtifacts returns an item with the documents that its issue has comments about. The newest comment counts, unless the plan has a document that no
// comment is about yet.
func readArtifacts(r Repository, item plan.Record, i Issue, b base) plan.Record {
	v, _ := item.Get("artifacts")
	known := v.Object()
	changes := []jsonl.Member{}
	for _, d := range documents() {
		own, _ := known.Get(d.phase)
		mine, _ := own.Str()
		newest, mentioned := "", slices.Contains(b.posted, d.phase+" "+mine)
		for _, c := range i.Comments { // the oldest first
			if name := r.documentIn(c, d); name != "" {
				newest, mentioned = name, mentioned || name == mine
			}
		}
		if newest != "" && newest != mine && (mine == "" || mentioned) {
			changes = append(changes, jsonl.TextMember(d.phase, newest))
		}
	}
	if len(changes) == 0 {
		return item
	}
	return with(item, jsonl.Member{Name: "artifacts", Value: jsonl.Value(jsonl.Build(setAll(known.Members(), changes)).Text())})
}

// documentIn returns the path of the document that a comment is about, "" where it is about none of that sort, or is a stranger's.
func (r Repository) documentIn(c Comment, d document) string {
	text := strings.ReplaceAll(c.Body, "\r\n", "\n")
	line, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if !c.Trusted || strings.TrimSpace(line) != d.heading {
		return ""
	}
	if _, key, found := strings.Cut(rest, markerStart+"comment "+d.phase+" "); found {
		name, _, _ := strings.Cut(key, " -->")
		return safePath(name)
	}
	link := regexp.MustCompile(regexp.QuoteMeta(r.Web) + `/blob/[^/\s)]+/([^\s)#?]+)`).FindStringSubmatch(rest)
	if link == nil {
		return ""
	}
	return safePath(link[1])
}

// safePath returns a path of a document, "" for any other: the first lines of its file are posted for everybody to read, so a plan must
// not name a file in which secrets are kept, such as .env.
func safePath(name string) string {
	if !pipeline.IsPlainPath(name) {
		return ""
	}
	return name
}

// posts returns the comments that the issue of an item is to have and has not.
func (s Sender) posts(item plan.Record, b base) (posts []Post) {
	v, _ := item.Get("artifacts")
	artifacts := v.Object()
	add := func(key, body string) {
		if p := (Post{Key: key}); !slices.Contains(b.posted, key) {
			posts = append(posts, Post{key, body + "\n\n" + p.marker()})
		}
	}
	for _, d := range documents() {
		own, _ := artifacts.Get(d.phase)
		if name, _ := own.Str(); safePath(name) != "" {
			text := fmt.Sprintf("%s\n\n[%s](%s/blob/%s/%s)", d.heading, name, s.Web, s.Branch, name)
			if lines := s.excerpt(name, item); lines != "" {
				text += "\n\n" + lines
			}
			add(d.phase+" "+name, text)
		}
	}
	if escalation, found := item.Meta().Get("escalation"); found && item.Text("state") == pipeline.HumanNeeded {
		why, _ := escalation.Object().Get("reason")
		at, _ := escalation.Object().Get("at")
		reason, _ := why.Str()
		when, _ := at.Str()
		who := assignees(assigneeOf(item))
		if len(who) == 0 {
			who = []string{s.Owner}
		}
		add("escalation "+when, fmt.Sprintf("@%s A person is needed: %s", who[0], reason))
	}
	return posts
}

// excerpt returns one to three lines about a document.
func (s Sender) excerpt(name string, item plan.Record) string {
	var lines []string
	if s.Excerpt != nil {
		lines = s.Excerpt(name)
	}
	if len(lines) == 0 {
		lines = []string{item.Name()}
	}
	text := strings.Join(lines[:min(len(lines), 3)], "\n")
	return strings.NewReplacer("@", "@\u200b", "<!--", "<!- -").Replace(text) // a document mentions nobody
}
