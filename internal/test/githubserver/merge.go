package githubserver

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"

	"git-ralph/internal/proc"
)

// mergePull merges a pull request as GitHub does, in the repository that the server is for.
func (s *Server) mergePull(w http.ResponseWriter, r *http.Request, p *Pull) {
	f := bodyOf(r)
	if s.Merging != nil {
		s.Merging(p)
	}
	method := f.text("merge_method")
	if method == "" {
		method = "merge"
	}
	state := s.mergeState(p)
	switch head := s.head(p); {
	case p.State != "open" || state == "DIRTY" || state == "BEHIND" || state == "BLOCKED":
		refuse(w, http.StatusMethodNotAllowed, "Pull Request is not mergeable")
		return
	case len(s.Methods) > 0 && !s.Methods[method]:
		refuse(w, http.StatusMethodNotAllowed, method+" is not allowed on this repository.")
		return
	case f.text("sha") != "" && f.text("sha") != head:
		refuse(w, http.StatusConflict, "Head branch was modified. Review and try the merge again.")
		return
	}
	base, head := s.commitAt(p.Base), s.head(p)
	args := []string{"commit-tree", s.mergedTree(p), "-p", base}
	if method == "merge" {
		args = append(args, "-p", head)
	}
	commit := s.git(append(args, "-m", fmt.Sprintf("%s (#%d)", p.Title, p.Number))...)
	s.git("update-ref", "refs/heads/"+p.Base, commit, base)
	p.State, p.Merged, p.MergeCommit, p.HeadSHA = "closed", true, commit, head
	Reply(w, r, http.StatusOK, map[string]any{"sha": commit, "merged": true, "message": "Pull Request successfully merged"})
}

// mergedTree returns the tree of both branches of a pull request, "" where they have a conflict.
func (s *Server) mergedTree(p *Pull) string {
	tree, _, _ := strings.Cut(s.git("merge-tree", "--write-tree", s.commitAt(p.Base), s.head(p)), "\n")
	if s.failed {
		return ""
	}
	return tree
}

func (s *Server) isAncestor(one, other string) bool {
	s.git("merge-base", "--is-ancestor", one, other)
	return !s.failed
}

// commitAt returns the commit of a branch, "" where there is none.
func (s *Server) commitAt(branch string) string {
	return s.git("rev-parse", "--verify", "--quiet", "refs/heads/"+branch)
}

// git runs git in the repository, and notes whether it failed.
func (s *Server) git(args ...string) string {
	env := append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		env = append(env, "GIT_"+who+"_NAME=GitHub", "GIT_"+who+"_EMAIL=noreply@example.com")
	}
	result, err := proc.Run(context.Background(), proc.Cmd{Name: "git", Args: append([]string{"--git-dir=" + s.Origin}, args...), Env: env})
	s.failed = err != nil
	return strings.TrimSpace(string(result.Stdout))
}
