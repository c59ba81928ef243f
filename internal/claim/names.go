package claim

import (
	"strconv"
	"strings"
)

// isBranch reports whether a text is the full name of a branch, as git allows it. Claims may come from strangers, and their branches
// are fetched by name.
func isBranch(name string) bool {
	short, ok := strings.CutPrefix(name, "refs/heads/")
	if !ok || short == "" || strings.HasPrefix(short, "-") || strings.ContainsFunc(short, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return false
	}
	if strings.ContainsAny(short, `~^:?*[\`) || strings.Contains(short, "..") || strings.Contains(short, "@{") || strings.HasSuffix(short, ".") {
		return false
	}
	for part := range strings.SplitSeq(short, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

// isCommit reports whether a text is the id of an object.
func isCommit(id string) bool {
	return (len(id) == 40 || len(id) == 64) && strings.Trim(id, "0123456789abcdef") == ""
}

// WorkPrefix begins the full names of workers' branches: refs/heads/ralph-work/<id>.<4 characters of the token>.
const WorkPrefix = "refs/heads/ralph-work/"

// tokenPart is how much of a token is in the name of a branch.
const tokenPart = 4

// WorkBranch returns the full name of the branch on which a worker works that holds the claim. Where a landing wants the work done anew
// it is another one, and the one before stays as it is.
func (c Claim) WorkBranch() string {
	name := WorkPrefix + c.ID + "." + c.Token[:tokenPart]
	switch {
	case strings.HasPrefix(c.Branch, name):
		return c.Branch
	case c.Branch == "" && c.Returns > 0:
		return name + "-" + strconv.Itoa(c.Returns)
	}
	return name
}
