package store

import (
	"bufio"
	"os"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
)

// specLines is how many lines of a plan are looked at for its spec record: it is the first one of a canonical plan.
const specLines = 100

// SharesClaims reports whether the spec record of the worktree's plan says that the claims are shared by all clones.
func (s *Store) SharesClaims() bool {
	if safefile.Check(s.repo.Root(), s.path) != nil {
		return false
	}
	f, err := os.Open(s.filePath())
	if err != nil {
		return false
	}
	defer f.Close()
	lines := bufio.NewReader(f)
	for range specLines {
		line, err := lines.ReadString('\n')
		if record, invalid := jsonl.ParseObject(line); invalid == nil {
			kind, _ := record.Get("t")
			if kind, _ := kind.Str(); kind == string(plan.KindSpec) {
				claims, _ := record.Get("claims")
				text, _ := claims.Str()
				return text == "shared"
			}
		}
		if err != nil {
			return false
		}
	}
	return false
}
