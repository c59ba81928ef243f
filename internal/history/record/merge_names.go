package record

import "strings"

// mergeNames returns the branches that the message of a merge names, as git and the forges write it: first the one that
// the merge was made on, then those that it merged, one for each parent but the first; "" where it names none. A branch of
// a remote keeps its full name: what of that is the remote's follows from the settings.
//
//	git           Merge branch 'x' [of URL] [into y]
//	              Merge branches 'a', 'b' and 'c'
//	              Merge remote-tracking branch 'origin/x'
//	GitHub        Merge pull request #1 from owner/x
//	GitLab        Merge branch 'x' into 'main'
//	Gitea         Merge pull request 'Title' (#1) from x into main
//	Azure         Merge pull request 1 from x into main
//	Bitbucket     Merged in x (pull request #1)
//	              Merge pull request #1 in PROJECT/repo from x to main
//	              Pull request #1: Title, and in the body: Merge in PROJECT/repo from x to main
func mergeNames(message string) []string {
	subject, body, _ := strings.Cut(strings.TrimLeft(message, "\n"), "\n")
	subject = strings.TrimSpace(subject)
	if rest, found := strings.CutPrefix(subject, "Merged in "); found {
		name, _, _ := strings.Cut(rest, " ")
		return branchPair("", name)
	}
	if rest, found := strings.CutPrefix(subject, "Merge pull request "); found {
		return branchPair(pullRequest(rest))
	}
	if strings.HasPrefix(subject, "Pull request #") {
		return branchPair(bodyOf(body))
	}
	if rest, found := strings.CutPrefix(subject, "Merge "); found {
		return quotedBranches(rest)
	}
	return nil
}

// branchPair returns the names of a merge of one branch, none where these cannot be names.
func branchPair(into, name string) []string {
	if name = BranchName(name); name == "" {
		return nil
	}
	return []string{BranchName(into), name}
}

// BranchName returns the short name of a branch, "" where a text cannot be one.
func BranchName(text string) string {
	if strings.ContainsAny(text, " \t~^:?*[\\") || text == "HEAD" {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(text, "refs/"), "heads/")
}

// pullRequest reads what follows "Merge pull request".
func pullRequest(text string) (into, name string) {
	from := strings.LastIndex(text, " from ")
	if from < 0 {
		return "", ""
	}
	name = text[from+len(" from "):]
	for _, target := range []string{" into ", " to "} {
		if source, into, found := strings.Cut(name, target); found {
			_, branch, fork := strings.Cut(source, ":") // user:branch of a fork
			if fork {
				return into, branch
			}
			return into, source
		}
	}
	_, branch, _ := strings.Cut(name, "/") // owner/branch
	return "", branch
}

// bodyOf finds "Merge in PROJECT/repo from x to main" in the body of a message.
func bodyOf(body string) (into, name string) {
	for line := range strings.Lines(body) {
		rest, found := strings.CutPrefix(strings.TrimSpace(line), "Merge in ")
		if !found {
			continue
		}
		_, rest, _ = strings.Cut(rest, " from ")
		name, into, _ = strings.Cut(rest, " to ")
		return into, name
	}
	return "", ""
}

// quotedBranches reads git's own list: kinds of things, and names in quotes. A
// tag or a bare commit keeps its place, but names no branch.
func quotedBranches(text string) []string {
	names := []string{""}
	kind := ""
	for text != "" {
		before, rest, found := strings.Cut(text, "'")
		if !found || strings.Contains(before, " into ") || strings.HasPrefix(before, " of ") {
			break
		}
		name, rest, closed := quoted(rest)
		if !closed {
			break
		}
		if words := strings.Trim(before, " ,;"); words != "" && words != "and" {
			kind = strings.TrimSpace(strings.TrimPrefix(words, "and "))
		}
		names = append(names, quotedName(kind, name))
		text = rest
	}
	if len(names) == 1 {
		return nil
	}
	if at := strings.LastIndex(text, " into "); at >= 0 {
		names[0] = BranchName(unquoted(text[at+len(" into "):]))
	}
	return names
}

// quoted reads a name up to the quote that closes it: the last one before a blank, for a name has no blanks, and may have
// apostrophes.
func quoted(text string) (name, rest string, closed bool) {
	word := text
	if blank := strings.IndexAny(text, " \t"); blank >= 0 {
		word = text[:blank]
	}
	end := strings.LastIndexByte(word, '\'')
	if end < 0 {
		return "", "", false
	}
	return text[:end], text[end+1:], true
}

func unquoted(text string) string {
	if rest, found := strings.CutPrefix(text, "'"); found {
		text, _, _ = quoted(rest)
	}
	return text
}

func quotedName(kind, name string) string {
	switch kind {
	case "branch", "branches":
		return BranchName(name)
	case "remote-tracking branch", "remote-tracking branches":
		return RemotePrefix + strings.TrimPrefix(strings.TrimPrefix(name, "refs/"), "remotes/")
	}
	return ""
}

// RemotePrefix begins the full name of a branch of a remote.
const RemotePrefix = "refs/remotes/"
