package store

import (
	"errors"
	"testing"

	"git-ralph/internal/test/gittest"
)

func addLine(text string, _ bool) (string, error) { return text + "line\n", nil }

// A file beside the plan gets a commit of its own, and what else is staged or
// changed stays so.
func TestUpdateFile(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	r.WriteFile("staged.txt", "staged\n")
	r.Git("add", "staged.txt")
	r.WriteFile(DefaultPath, r.ReadFile(DefaultPath)+`{"t": "note"}`+"\n")
	before := r.State(".gitattributes")
	res, err := s.UpdateFile(t.Context(), FileUpdate{Path: ".gitattributes", Subject: func() string { return "add a line" }, Edit: addLine})
	if err != nil || !res.Changed || res.Commit != r.Git("rev-parse", "HEAD") {
		t.Fatalf("%+v, %v", res, err)
	}
	if got := r.Git("show", "--format=%s", "--name-only", "HEAD"); got != "ralph: add a line\n\n.gitattributes" {
		t.Errorf("commit %s", got)
	}
	if after := r.State(".gitattributes"); after != before || r.Git("status", "--porcelain", ".gitattributes") != "" {
		t.Errorf("%+v, was %+v", after, before)
	}
	same := func(text string, _ bool) (string, error) { return text, nil }
	if res, err := s.UpdateFile(t.Context(), FileUpdate{Path: ".gitattributes", Edit: same}); err != nil || res != (FileUpdateResult{}) {
		t.Errorf("nothing to do: %+v, %v", res, err)
	}
	r.Fsck()
}

// The user's own changes of the file are never swept into our commit.
func TestUpdateFileOwnEdits(t *testing.T) {
	for name, edit := range map[string]func(r *gittest.Repo){
		"new":     func(r *gittest.Repo) { r.Git("rm", "-q", "--cached", ".gitattributes") },
		"changed": func(r *gittest.Repo) { r.WriteFile(".gitattributes", "mine\n") },
		"removed": func(r *gittest.Repo) { r.Remove(".gitattributes") },
		"staged": func(r *gittest.Repo) {
			r.WriteFile(".gitattributes", "mine\n")
			r.Git("add", ".gitattributes")
			r.WriteFile(".gitattributes", "committed\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			s := newStore(t, r)
			r.Commit("attributes", map[string]string{".gitattributes": "committed\n"})
			edit(r)
			before, tip := r.State(), r.Git("rev-parse", "HEAD")
			_, err := s.UpdateFile(t.Context(), FileUpdate{Path: ".gitattributes", Subject: func() string { return "x" }, Edit: addLine})
			if !errors.Is(err, ErrOwnEdits) || r.State() != before || r.Git("rev-parse", "HEAD") != tip {
				t.Errorf("error %v, state %+v", err, r.State())
			}
		})
	}
}

// Where plans are not committed, neither is the file.
func TestUpdateFileModes(t *testing.T) {
	r := gittest.NewRepo(t)
	newStore(t, r)
	tip := r.Git("rev-parse", "HEAD")
	for mode, status := range map[string]string{"stage": "A  .gitattributes", "off": "?? .gitattributes"} {
		r.Git("config", "ralph.commit", mode)
		res, err := open(t, r).UpdateFile(t.Context(), FileUpdate{Path: ".gitattributes", Subject: func() string { return "x" }, Edit: addLine})
		if err != nil || !res.Changed || res.Commit != "" || res.Reason != "ralph.commit = "+mode {
			t.Errorf("%s: %+v, %v", mode, res, err)
		}
		if got := r.Git("status", "--porcelain"); got != status || r.Git("rev-parse", "HEAD") != tip {
			t.Errorf("%s: %s", mode, got)
		}
		r.Git("rm", "-q", "-f", "--ignore-unmatch", ".gitattributes")
		if r.Exists(".gitattributes") {
			r.Remove(".gitattributes")
		}
	}
	r.Git("config", "ralph.commit", "auto")
	r.Git("config", "ralph.verify", "true")
	res, err := open(t, r).UpdateFile(t.Context(), FileUpdate{Path: ".gitattributes", Subject: func() string { return "x" }, Edit: addLine})
	if err != nil || res.Commit == "" || r.Git("status", "--porcelain") != "" {
		t.Errorf("through git: %+v, %v", res, err)
	}
}
