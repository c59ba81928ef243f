package oracle

import (
	"regexp"
	"strings"
)

// mergedBranch names the branch that a merge brought in as its parent number
// side, 1 being the second.
func mergedBranch(message string, side int) string {
	message = strings.TrimLeft(message, "\n")
	for _, form := range []string{
		`^Merged in ([^ \n]+)`,
		`^Merge pull request [^\n]* from [^ \n:]+:([^ \n]+) into [^\n]+\n`,
		`^Merge pull request [^\n]* from ([^ \n:]+) (?:into|to) [^\n]+\n`,
		`^Merge pull request #[0-9]+ from [^ /\n]+/([^ \n]+)\n`,
		`^Pull request #[^\n]*\n(?:[^\n]*\n)*?[ \t]*Merge in [^\n]* from ([^ \n]+) to `,
	} {
		if m := regexp.MustCompile(form).FindStringSubmatch(message + "\n"); m != nil {
			if side > 1 {
				return ""
			}
			return m[1]
		}
	}
	subject, _, _ := strings.Cut(message, "\n")
	if !strings.HasPrefix(subject, "Merge ") {
		return ""
	}
	subject, _, _ = strings.Cut(subject, " into ")
	subject, _, _ = strings.Cut(subject, " of ")
	n, kind := 0, ""
	for _, m := range regexp.MustCompile(`((?:remote-tracking )?branch(?:es)?|tag|commit)?[ ,]*(?:and )?'([^']*)'`).FindAllStringSubmatch(subject, -1) {
		if m[1] != "" {
			kind = m[1]
		}
		if n++; n != side {
			continue
		}
		switch {
		case strings.HasPrefix(kind, "remote-tracking"):
			_, branch, _ := strings.Cut(m[2], "/")
			return branch
		case strings.HasPrefix(kind, "branch"):
			return m[2]
		}
		return ""
	}
	return ""
}
