package mirror

import (
	"slices"
	"strings"

	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// An Issue is one at GitHub, as it was read.
type Issue struct {
	Number     int
	ID         int    // in the REST interface
	Node       string // the id in the GraphQL interface
	URL        string
	Title      string
	Body       string
	Closed     bool
	NotPlanned bool // it was closed as not planned, or as a duplicate
	Labels     []string
	Assignees  []string
	Parent     int   // the number of the issue that it is a sub-issue of; 0: none of this repository
	BlockedBy  []int // numbers of this repository
	Partial    bool  // it is blocked by more issues than were read
	Comments   []Comment
	All        int // how many comments there are
	Created    string
	Updated    string
	ClosedAt   string // "" where it is open
	Trusted    bool   // whoever wrote it may write to the repository
	Entry      string // its id in the project, "" where it is not in it
	Fields     map[string]string
}

// A Comment is one of an issue.
type Comment struct {
	Body    string
	Created string
	Trusted bool
}

// The names of the project's fields, and of the labels where there is no project.
const (
	StateField    = "Workflow State"
	EstimateField = "Estimate"

	stateLabel    = "state:"
	estimateLabel = "estimate:"
)

// A Repository is what the two sides have in common.
type Repository struct {
	Owner   string
	Web     string // its URL
	Project bool   // fields of a project have state and estimate, not labels
}

// labelled returns the values that labels with a prefix have, of those that count.
func labelled(labels []string, prefix string, known []string) (values []string) {
	for _, label := range labels {
		if len(label) < len(prefix) || !strings.EqualFold(label[:len(prefix)], prefix) {
			continue
		}
		for _, value := range known {
			if strings.EqualFold(strings.TrimSpace(label[len(prefix):]), value) {
				values = append(values, value)
			}
		}
	}
	return values
}

// isOwnLabel reports whether a label says the state or the estimate.
func (r Repository) isOwnLabel(label string) bool {
	one := []string{label}
	return !r.Project && len(labelled(one, stateLabel, plan.ItemStates()))+len(labelled(one, estimateLabel, plan.Estimates())) > 0
}

// labels returns the labels of an issue that say neither state nor estimate.
func (r Repository) labels(i Issue) (all []string) {
	for _, label := range i.Labels {
		if !r.isOwnLabel(label) {
			all = append(all, label)
		}
	}
	return all
}

// state returns the state of an issue, "" where it says none. An issue that is open is not done, whatever its labels say. Of two labels the one that is
// further along counts, whichever was there first: so a second look says the same.
func (r Repository) state(i Issue) string {
	switch {
	case i.Closed && i.NotPlanned:
		return pipeline.Canceled
	case i.Closed:
		return pipeline.Done
	}
	states := labelled(i.Labels, stateLabel, plan.ItemStates())
	if r.Project {
		states = labelled([]string{i.Fields[StateField]}, "", plan.ItemStates())
	}
	states = slices.DeleteFunc(states, pipeline.Final)
	return highest(states, plan.ItemStateRank)
}

func (r Repository) estimate(i Issue) string {
	sizes := labelled(i.Labels, estimateLabel, plan.Estimates())
	if r.Project {
		sizes = labelled([]string{i.Fields[EstimateField]}, "", plan.Estimates())
	}
	return highest(sizes, func(size string) int { return slices.Index(plan.Estimates(), size) })
}

// highest returns the highest of several values, "" where there is none.
func highest(values []string, rank func(string) int) string {
	if len(values) == 0 {
		return ""
	}
	return slices.MaxFunc(values, func(a, b string) int { return rank(a) - rank(b) })
}
