package fold

import "strings"

// mergedBranches reads the message of a merge as git and the forges write it,
// and returns the names of the branches that were merged, one for each parent
// but the first; "" where the message does not name one.
//
//	git           Merge branch 'x' [of URL] [into y]
//	              Merge branches 'a', 'b' and 'c'
//	              Merge remote-tracking branch 'origin/x'
//	GitHub        Merge pull request #1 from owner/x
//	GitLab        Merge branch 'x' into 'main'
//	Gitea         Merge pull request 'Title' (#1) from x into main
//	Bitbucket     Merged in x (pull request #1)
//	              Merge pull request #1 in PROJECT/repo from x to main
//	              Pull request #1: Title, and in the body: Merge in PROJECT/repo from x to main
func mergedBranches(message string) []string {
	subject, body, _ := strings.Cut(strings.TrimLeft(message, "\n"), "\n")
	subject = strings.TrimSpace(subject)
	if rest, found := strings.CutPrefix(subject, "Merged in "); found {
		name, _, _ := strings.Cut(rest, " ")
		return branchList(name)
	}
	if rest, found := strings.CutPrefix(subject, "Merge pull request "); found {
		return branchList(pullRequest(rest))
	}
	if strings.HasPrefix(subject, "Pull request #") {
		return branchList(bodyOf(body))
	}
	if rest, found := strings.CutPrefix(subject, "Merge "); found {
		return quotedBranches(rest)
	}
	return nil
}

// branchList returns a list of one branch, none where the name cannot be one.
func branchList(name string) []string {
	if name == "" || strings.ContainsAny(name, " \t~^:?*[\\'\"") {
		return nil
	}
	return []string{name}
}

// pullRequest reads what follows "Merge pull request".
func pullRequest(text string) string {
	from := strings.LastIndex(text, " from ")
	if from < 0 {
		return ""
	}
	name := text[from+len(" from "):]
	for _, target := range []string{" into ", " to "} {
		if source, _, found := strings.Cut(name, target); found {
			_, branch, fork := strings.Cut(source, ":") // user:branch of a fork
			if fork {
				return branch
			}
			return source
		}
	}
	_, branch, _ := strings.Cut(name, "/") // owner/branch
	return branch
}

// bodyOf finds "Merge in PROJECT/repo from x to main" in the body of a message.
func bodyOf(body string) string {
	for line := range strings.Lines(body) {
		rest, found := strings.CutPrefix(strings.TrimSpace(line), "Merge in ")
		if !found {
			continue
		}
		_, rest, _ = strings.Cut(rest, " from ")
		name, _, _ := strings.Cut(rest, " to ")
		return name
	}
	return ""
}

// quotedBranches reads git's own list: kinds of things, and names in quotes. A
// tag or a bare commit keeps its place, but names no branch.
func quotedBranches(text string) []string {
	var names []string
	kind := ""
	for text != "" {
		before, rest, found := strings.Cut(text, "'")
		if strings.HasPrefix(before, " into ") || strings.HasPrefix(before, " of ") {
			break
		}
		name, rest, closed := strings.Cut(rest, "'")
		if !found || !closed {
			break
		}
		if words := strings.Trim(before, " ,"); words != "" && words != "and" {
			kind = strings.TrimSpace(strings.TrimPrefix(words, "and "))
		}
		names = append(names, quotedName(kind, name))
		text = rest
	}
	return names
}

func quotedName(kind, name string) string {
	switch kind {
	case "branch", "branches":
		return name
	case "remote-tracking branch", "remote-tracking branches":
		_, branch, _ := strings.Cut(name, "/")
		return branch
	}
	return ""
}
