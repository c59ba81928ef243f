package oracle

import (
	"regexp"
	"strings"
)

// mergeSubject is what the subject of a merge names: the branch that it was made on, and those merged.
type mergeSubject struct {
	into string
	from []string // by parents from the second on; "" for none
}

// forges are the forms of forges: the branch that was merged is the group "from", the one that it was merged into is "into".
var forges = []string{
	`^Merged in (?P<from>\S+)(?: .*)?$`,
	`^Merge pull request .* from [^\s:]+:(?P<from>\S+) into (?P<into>\S+)$`,
	`^Merge pull request .*?(?:.* )?from (?P<from>[^\s:]+) (?:into|to) (?P<into>\S+)$`,
	`^Merge pull request .*from [^\s/]+/(?P<from>\S+)$`,
}

// mergeOf reads the message of a merge.
func (r *repo) mergeOf(message string) mergeSubject {
	subject, body, _ := strings.Cut(strings.TrimLeft(message, "\n"), "\n")
	subject = strings.TrimSpace(subject)
	if strings.HasPrefix(subject, "Pull request #") {
		m := regexp.MustCompile(`(?m)^\s*Merge in \S+ from (\S+) to (\S+)\s*$`).FindStringSubmatch(body)
		if m == nil {
			return mergeSubject{}
		}
		return mergeSubject{local(m[2]), []string{local(m[1])}}
	}
	for _, form := range forges {
		re := regexp.MustCompile(form)
		if m := re.FindStringSubmatch(subject); m != nil {
			merge := mergeSubject{from: []string{local(m[re.SubexpIndex("from")])}}
			if at := re.SubexpIndex("into"); at >= 0 {
				merge.into = local(m[at])
			}
			return merge
		}
	}
	if strings.HasPrefix(subject, "Merge ") && !strings.HasPrefix(subject, "Merge pull request ") {
		return r.gitMerge(subject)
	}
	return mergeSubject{}
}

// gitMerge reads git's own form: things of some kind in quotes, perhaps of a URL, perhaps into a branch.
func (r *repo) gitMerge(subject string) mergeSubject {
	things := regexp.MustCompile(`^(?: |,|;|and)*(remote-tracking branch(?:es)?|branch(?:es)?|tags?|commits?)? ?'(\S+)'`)
	var merge mergeSubject
	rest, kind := strings.TrimPrefix(subject, "Merge"), ""
	for {
		m := things.FindStringSubmatch(rest)
		if m == nil {
			break
		}
		if m[1] != "" {
			kind = m[1]
		}
		name := local(m[2])
		switch {
		case strings.HasPrefix(kind, "remote"):
			name = r.withoutRemote(strings.TrimPrefix(strings.TrimPrefix(m[2], "refs/"), "remotes/"))
		case !strings.HasPrefix(kind, "branch"):
			name = ""
		}
		merge.from = append(merge.from, name)
		rest = rest[len(m[0]):]
	}
	if m := regexp.MustCompile(` into (?:'(\S+)'|(\S+))$`).FindStringSubmatch(rest); m != nil && len(merge.from) > 0 {
		merge.into = local(m[1] + m[2])
	}
	return merge
}

// local is the short name of a branch, "" for what can be none.
func local(name string) string {
	if name == "HEAD" || strings.ContainsAny(name, `~^:?*[\`) {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(name, "refs/"), "heads/")
}

// withoutRemote takes the name of the longest remote that there is off a branch, else what stands before a slash.
func (r *repo) withoutRemote(name string) string {
	best := ""
	for _, remote := range r.remotes {
		if strings.HasPrefix(name, remote+"/") && len(remote) > len(best) {
			best = remote
		}
	}
	if best != "" {
		return name[len(best)+1:]
	}
	_, rest, _ := strings.Cut(name, "/")
	return rest
}
