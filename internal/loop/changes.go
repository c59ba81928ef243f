package loop

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"git-ralph/internal/git"
	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// A signature tells whether a file changed since it was looked at.
type signature struct{ size, time int64 }

func signatureOf(root, name string) signature {
	info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return signature{size: -1}
	}
	return signature{info.Size(), info.ModTime().UnixNano()}
}

// signatures are those of files at a moment, by their paths.
type signatures map[string]signature

func signaturesOf(root string, paths []string) signatures {
	all := signatures{}
	for _, path := range paths {
		all[path] = signatureOf(root, path)
	}
	return all
}

// holds reports whether a file is among them, or in a directory that is: git names one that is new as a whole.
func (s signatures) holds(name string) bool {
	if _, found := s[name]; found {
		return true
	}
	for i, c := range name {
		if c == '/' {
			if _, found := s[name[:i+1]]; found {
				return true
			}
		}
	}
	return false
}

// JSON writes them as [{"path", "size", "time"}], for a note that a later run reads.
func (s signatures) JSON() jsonl.Value {
	list := ""
	for i, path := range slices.Sorted(maps.Keys(s)) {
		if i > 0 {
			list += ", "
		}
		list += jsonl.Build([]jsonl.Member{
			{Name: "path", Value: jsonl.Quote(path)},
			{Name: "size", Value: jsonl.Value(strconv.FormatInt(s[path].size, 10))},
			{Name: "time", Value: jsonl.Value(strconv.FormatInt(s[path].time, 10))},
		}).Text()
	}
	return jsonl.Value("[" + list + "]")
}

// readSignatures reads what JSON wrote. What is broken is left out.
func readSignatures(from jsonl.Value) signatures {
	all := signatures{}
	for e := range from.All() {
		file, err := jsonl.ParseObject(string(e))
		if err != nil {
			continue
		}
		size, sizeErr := strconv.ParseInt(string(get(file, "size")), 10, 64)
		time, timeErr := strconv.ParseInt(string(get(file, "time")), 10, 64)
		if path, ok := get(file, "path").Str(); ok && sizeErr == nil && timeErr == nil {
			all[path] = signature{size, time}
		}
	}
	return all
}

// The user's changes are not the agents', and not ours to commit. So each run notes which were the user's when it began, and
// what lies uncommitted when it ends in order: the next one can tell what agents left from what the user did since.

// A pastRun is what the run before noted.
type pastRun struct {
	known bool // there is a note
	ended bool // in order, and not by a kill
	users signatures
	left  signatures
}

func pastRunOf(note jsonl.Object, found bool) pastRun {
	left, ended := note.Get("left")
	users := get(note, "users")
	if !found || users.Kind() != jsonl.Array || ended && left.Kind() != jsonl.Array {
		return pastRun{}
	}
	return pastRun{known: true, ended: ended, users: readSignatures(users), left: readSignatures(left)}
}

// isOfAgents reports whether a change that a run finds is what agents of the run before left. Where that was killed, it is
// unless it was the user's when that run began.
func (p pastRun) isOfAgents(path string, now signature) bool {
	if p.users.holds(path) || !p.known {
		return false
	}
	was, found := p.left[path]
	return !p.ended || found && was == now
}

// usersChanges returns what differs from HEAD that the run before did not leave: all of it, and what git knows of.
func usersChanges(ctx context.Context, repo *git.Repo, past pastRun) (all, tracked signatures, err error) {
	changes, err := repo.Changes(ctx)
	if err != nil {
		return nil, nil, err
	}
	inside, err := repo.DirtySubmodules(ctx)
	if err != nil {
		return nil, nil, err
	}
	all = signaturesOf(repo.Root(), append(pathsOf(changes), inside...))
	maps.DeleteFunc(all, past.isOfAgents)
	tracked = signatures{}
	for _, c := range changes {
		if s, users := all[c.Path]; users && !c.Untracked {
			tracked[c.Path] = s
		}
	}
	return all, tracked, nil
}

// UsersChanges lists the tracked files, but for the plan, that are changed and that the last run did not leave so.
func UsersChanges(ctx context.Context, st *store.Store, j journal.Journal) ([]string, error) {
	_, tracked, err := usersChanges(ctx, st.Repo(), pastRunOf(j.LastChanges()))
	delete(tracked, st.PlanPath())
	return slices.Sorted(maps.Keys(tracked)), err
}

// findOwnChanges notes what the user has changed before the run. Without it no agent may start.
func (l *Loop) findOwnChanges(ctx context.Context) error {
	all, tracked, err := usersChanges(ctx, l.Store.Repo(), pastRunOf(l.Config.Run.ChangesBefore()))
	if err != nil {
		return err
	}
	delete(tracked, l.Store.PlanPath())
	l.mine, l.kept = all, tracked
	l.Config.Run.WriteChanges(jsonl.Build([]jsonl.Member{{Name: "users", Value: l.mine.JSON()}}))
	return nil
}

// reportKept warns of the files that had changes before the run and that the iteration changed: they are never committed.
func (it *iteration) reportKept() {
	var changed []string
	for _, path := range slices.Sorted(maps.Keys(it.kept)) {
		if now := signatureOf(it.Store.Repo().Root(), path); now != it.kept[path] {
			it.kept[path] = now
			changed = append(changed, path)
		}
	}
	if len(changed) == 0 {
		return
	}
	what := "the agent"
	if it.id() != "" && count(it.steps, plan.EventDone) > 0 {
		what = it.id() + " is done, and its agent"
	}
	it.warn(it.n, "%s changed what had changes before the run, which is not committed: %s", what, Listed(changed))
}

// leftOver lists what lies uncommitted in the worktree and is not the user's from before. It is noted for the next run.
func (l *Loop) leftOver(ctx context.Context) []string {
	if l.mine == nil { // the run did not begin, and whose changes these are is not known
		return nil
	}
	repo := l.Store.Repo()
	changes, err := repo.Changes(context.WithoutCancel(ctx))
	if err != nil {
		return nil
	}
	inside, err := repo.DirtySubmodules(context.WithoutCancel(ctx))
	if err != nil {
		return nil
	}
	for _, path := range inside {
		changes = append(changes, git.Change{Path: path})
	}
	now := signaturesOf(repo.Root(), pathsOf(changes))
	l.Config.Run.WriteChanges(jsonl.Build([]jsonl.Member{{Name: "users", Value: l.mine.JSON()}, {Name: "left", Value: now.JSON()}}))
	var left []string
	for _, c := range changes {
		if was, found := l.mine[c.Path]; c.Path != l.Store.PlanPath() && !(found && was == now[c.Path]) {
			left = append(left, c.Path)
		}
	}
	return slices.Compact(left) // what is staged and changed again is told twice
}

func pathsOf(changes []git.Change) []string {
	paths := make([]string, len(changes))
	for i, c := range changes {
		paths[i] = c.Path
	}
	return paths
}
