package walk

import (
	"cmp"
	"context"
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
)

// AlteredParents returns, of the commits that `git replace` or grafts alter, the parents that their own objects name: those
// that git does not show may be hidden.
func AlteredParents(ctx context.Context, r *git.Repo) (map[git.Hash][]git.Hash, error) {
	ids := grafted(r)
	if r.HasReplacements() {
		base, _ := config.Getenv(r.Git().Environ, "GIT_REPLACE_REF_BASE")
		out, err := r.Git().Output(ctx, "for-each-ref", "--format=%(refname)", cmp.Or(base, "refs/replace/"))
		if err != nil {
			return nil, err
		}
		for name := range strings.FieldsSeq(string(out)) {
			ids = append(ids, path.Base(name))
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	out, err := r.Git().Run(ctx, []byte(strings.Join(ids, "\n")+"\n"), "--no-replace-objects", "cat-file", "--batch")
	return parentsIn(out + "\n"), err
}

// grafted returns the commits that grafts give other parents.
func grafted(r *git.Repo) (ids []string) {
	file, _ := config.Getenv(r.Git().Environ, "GIT_GRAFT_FILE")
	data, err := os.ReadFile(cmp.Or(file, filepath.Join(r.CommonDir(), "info", "grafts")))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		id, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if _, err := hex.DecodeString(id); err == nil && id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// parentsIn reads the parents of commits from what `git cat-file --batch` prints.
func parentsIn(batch string) map[git.Hash][]git.Hash {
	parents := map[git.Hash][]git.Hash{}
	for batch != "" {
		header, rest, _ := strings.Cut(batch, "\n")
		fields := strings.Fields(header)
		if len(fields) != 3 {
			batch = rest
			continue
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size >= len(rest) {
			return parents
		}
		if id, err := git.ParseHash(fields[0]); err == nil && fields[1] == "commit" {
			parents[id] = parentsOf(rest[:size])
		}
		batch = rest[size+1:]
	}
	return parents
}

// parentsOf reads the parents that a commit's object names.
func parentsOf(object string) (parents []git.Hash) {
	head, _, _ := strings.Cut(object, "\n\n")
	for line := range strings.Lines(head) {
		text, found := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "parent ")
		if id, err := git.ParseHash(text); found && err == nil {
			parents = append(parents, id)
		}
	}
	return parents
}
