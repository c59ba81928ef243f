package pull

import "fmt"

// A Request is a pull request as GitHub shows it.
type Request struct {
	Number     int
	URL        string
	State      string // Open, Closed or Merged
	Draft      bool
	Branch     string // that it asks to merge
	Head       string // the commit of that
	Base       string // the branch that it is to be merged into
	Mergeable  string // MERGEABLE, CONFLICTING, or UNKNOWN while GitHub has not found out
	Blocked    string // what the rules of the base make of it: CLEAN, BLOCKED, BEHIND, …
	Checks     string // of Head: SUCCESS, PENDING, EXPECTED, FAILURE, ERROR; "": there are none
	Decision   string // what reviews come to: APPROVED, REVIEW_REQUIRED, CHANGES_REQUESTED; "": none are required
	ApprovedAt []string
	Merge      string // the commit that merged it
}

// The states of a pull request.
const (
	Open   = "OPEN"
	Closed = "CLOSED"
	Merged = "MERGED"
)

// Waits returns what an open pull request waits for, "" where it may be merged now. own is the commit that was pushed for it: where its
// branch is at another one, somebody has to have approved exactly that.
func (r Request) Waits(own string) string {
	switch {
	case r.Draft:
		return "it is a draft"
	case r.Mergeable == "CONFLICTING":
		return "it has conflicts with " + r.Base
	case r.Checks == "PENDING" || r.Checks == "EXPECTED":
		return "its checks are running"
	case r.Checks != "" && r.Checks != "SUCCESS":
		return "its checks fail"
	case r.Decision == "CHANGES_REQUESTED":
		return "a reviewer requests changes"
	case r.Decision == "REVIEW_REQUIRED":
		return "a review has to approve it"
	case r.Head != own && !r.isApproved(r.Head):
		return fmt.Sprintf("its branch is at %.9s, which is not from here and not approved, instead of %.9s", r.Head, own)
	case r.Decision == "APPROVED" && !r.isApproved(r.Head):
		return "the approvals are of earlier commits"
	case r.Mergeable != "MERGEABLE":
		return "GitHub has not found out yet whether it can be merged"
	case r.Blocked == "BEHIND":
		return "its branch has to contain " + r.Base + " first"
	case r.Blocked == "BLOCKED":
		return "a rule of " + r.Base + " keeps it from being merged"
	}
	return ""
}

func (r Request) isApproved(commit string) bool {
	for _, at := range r.ApprovedAt {
		if at == commit {
			return true
		}
	}
	return false
}
