package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/proc"
)

// place is where the checks are made: a bare mirror of the bundle, and an environment without the user's settings.
type place struct {
	bin    string
	dir    string
	mirror string
	env    []string
}

// revision is one plan file in one commit.
type revision struct{ commit, path, blob string }

// planVersion is a plan file as a revision holds it.
type planVersion struct {
	revision
	text    string
	invalid string // why Decode refused it; "" if it did not
}

func (v *planVersion) String() string { return fmt.Sprintf("%.12s:%s", v.commit, v.path) }

func newPlace(ctx context.Context, dir, bin, bundle string) (*place, error) {
	config := filepath.Join(dir, "gitconfig")
	text := "[user]\n\tname = Check Real\n\temail = check@example.com\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return nil, err
	}
	p := &place{
		bin: bin, dir: dir, mirror: filepath.Join(dir, "mirror.git"),
		env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_GLOBAL=" + config, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"},
	}
	_, err := p.git(ctx, dir, nil, "clone", "-q", "--mirror", bundle, p.mirror)
	return p, err
}

// git runs git in a directory and returns what it printed.
func (p *place) git(ctx context.Context, dir string, input []byte, args ...string) (string, error) {
	res, err := proc.Run(ctx, proc.Cmd{Name: "git", Args: args, Dir: dir, Env: p.env, Stdin: input})
	return string(res.Stdout), err
}

// ralph runs git-ralph in a directory and returns what it printed and its exit status.
func (p *place) ralph(ctx context.Context, dir string, args ...string) (proc.Result, int, error) {
	res, err := proc.Run(ctx, proc.Cmd{Name: p.bin, Args: args, Dir: dir, Env: p.env})
	if code := proc.ExitCode(err); err != nil && code > 0 {
		return res, code, nil
	}
	return res, 0, err
}

// revisions lists every commit and plan file that go together, oldest commits first.
func (p *place) revisions(ctx context.Context, r *report) ([]revision, error) {
	paths, err := p.planPaths(ctx)
	if err != nil {
		return nil, err
	}
	listed, err := p.git(ctx, p.mirror, nil, "rev-list", "--all", "--topo-order", "--reverse")
	if err != nil {
		return nil, err
	}
	commits := strings.Fields(listed)
	var all []revision
	for _, path := range paths {
		found, err := p.blobs(ctx, commits, path)
		if err != nil {
			return nil, err
		}
		r.say("%s: in %d of %d revisions", path, len(found), len(commits))
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no file named plan.jsonl in the whole history")
	}
	return all, nil
}

// planPaths lists the files of all commits that are named like a plan.
func (p *place) planPaths(ctx context.Context) ([]string, error) {
	out, err := p.git(ctx, p.mirror, nil, "log", "--all", "--full-history", "-m", "--no-renames", "--format=", "--name-only", "-z", "--", "*plan.jsonl")
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var paths []string
	for path := range strings.SplitSeq(out, "\x00") {
		path = strings.TrimLeft(path, "\n")
		if path != "" && !seen[path] {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// blobs finds the commits in which path is a file.
func (p *place) blobs(ctx context.Context, commits []string, path string) ([]revision, error) {
	var ask strings.Builder
	for _, commit := range commits {
		fmt.Fprintf(&ask, "%s:%s\n", commit, path)
	}
	out, err := p.git(ctx, p.mirror, []byte(ask.String()), "cat-file", "--batch-check=%(objecttype) %(objectname)")
	if err != nil {
		return nil, err
	}
	var found []revision
	for i, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		if blob, ok := strings.CutPrefix(line, "blob "); ok {
			found = append(found, revision{commits[i], path, blob})
		}
	}
	return found, nil
}

// read returns the content of every revision. Equal ones share their text.
func (p *place) read(ctx context.Context, revisions []revision) ([]*planVersion, error) {
	batch, err := proc.Start(ctx, proc.Cmd{Name: "git", Args: []string{"cat-file", "--batch"}, Dir: p.mirror, Env: p.env})
	if err != nil {
		return nil, err
	}
	defer batch.Close()
	texts := map[string]string{}
	plans := make([]*planVersion, len(revisions))
	for i, rev := range revisions {
		text, known := texts[rev.blob]
		if !known {
			if text, err = readBlob(batch, rev.blob); err != nil {
				return nil, batch.Fail(err)
			}
			texts[rev.blob] = text
		}
		plans[i] = &planVersion{revision: rev, text: text}
	}
	return plans, nil
}

// distinct leaves out what is equal to an earlier version of the same file.
func distinct(plans []*planVersion) []*planVersion {
	seen := map[[2]string]bool{}
	var kept []*planVersion
	for _, v := range plans {
		if key := [2]string{v.path, v.blob}; !seen[key] {
			seen[key] = true
			kept = append(kept, v)
		}
	}
	return kept
}

// readBlob asks for one object: "<id> blob <size>", the content, a line feed.
func readBlob(batch *proc.Conversation, blob string) (string, error) {
	if _, err := io.WriteString(batch, blob+"\n"); err != nil {
		return "", err
	}
	var id, kind string
	var size int
	if _, err := fmt.Fscanf(batch.Out, "%s %s %d\n", &id, &kind, &size); err != nil {
		return "", err
	}
	content := make([]byte, size+1)
	if _, err := io.ReadFull(batch.Out, content); err != nil {
		return "", err
	}
	return string(content[:size]), nil
}
