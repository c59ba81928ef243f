package git

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"git-ralph/internal/git/odb"
	"git-ralph/internal/proc"
)

// Errors of a Reader.
var (
	// ErrBadRevision: the text names no commit of this repository.
	ErrBadRevision = errors.New("names no commit")
	// ErrNotFound: the commit holds no file of that path.
	ErrNotFound = errors.New("not in that commit")
	// ErrMissing: the object belongs to the history but is missing, as in a partial clone, or damaged.
	ErrMissing = errors.New("object is missing")
)

// Blob is a file as the repository holds it, before any conversion for the worktree.
type Blob struct {
	ID   string // object id in hex
	Data []byte
}

// Reader reads commits and their content from the repository's files and, what cannot be read there, through one long-lived
// `git cat-file --batch`, which the first such query starts. It is not safe for concurrent use.
type Reader struct {
	repo   *Repo
	ctx    context.Context
	own    *ownObjects // nil before the first request, and where opened and git is to read everything
	opened bool
	read   []Object           // from files, and not received yet
	talk   *proc.Conversation // nil before the first request, and after one that ended the process
}

// Reader opens a reader.
func (r *Repo) Reader(ctx context.Context) *Reader { return &Reader{repo: r, ctx: ctx} }

// Object is one of git's objects.
type Object struct {
	ID, Kind string
	Data     []byte
}

// ErrNoObject: git knows no object by that name.
var ErrNoObject = errors.New("no such object")

// Resolve returns the id of the commit that rev names in any of git's spellings; a tag is followed to its commit. rev is never
// taken for an option. The error is ErrBadRevision.
func (r *Reader) Resolve(rev string) (string, error) {
	o, err := r.Commit(rev)
	return o.ID, err
}

// Time returns the committer's date of the commit that rev names, in seconds since 1970. The error is ErrBadRevision.
func (r *Reader) Time(rev string) (int64, error) {
	o, err := r.Commit(rev)
	if err != nil {
		return 0, err
	}
	headers, _, _ := strings.Cut(string(o.Data), "\n\n")
	_, committer, _ := strings.Cut(headers, "\ncommitter ")
	_, date, _ := strings.Cut(committer, "> ")
	seconds, _, _ := strings.Cut(date, " ")
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q has no valid date: %w", rev, ErrBadRevision)
	}
	return n, nil
}

// IsAncestor reports whether ancestor can be reached from descendant; a commit reaches itself. Both are in any of git's
// spellings. The error is ErrBadRevision, or that of a history with missing commits.
func (r *Reader) IsAncestor(ancestor, descendant string) (bool, error) {
	from, err := r.Resolve(descendant)
	if err != nil {
		return false, err
	}
	to, err := r.Resolve(ancestor)
	if err != nil || to == from {
		return err == nil, err
	}
	if r.Follows(to, from) {
		return true, nil
	}
	_, err = r.repo.Git().Output(r.ctx, "merge-base", "--is-ancestor", to, from)
	if proc.ExitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// Follows reports whether a commit is on the line of first parents of another, or was merged right into it, as what has landed. Where it
// says no, the commit may be an ancestor all the same. Both are ids.
func (r *Reader) Follows(ancestor, descendant string) bool {
	own := r.files()
	return own != nil && (ancestor == descendant || own.follows(ancestor, descendant))
}

// Line returns the commits from descendant back to ancestor, which is not among them, where each has one parent alone, as those that
// somebody has made one after the other. Where it is not ok, git has to be asked. Both are ids.
func (r *Reader) Line(ancestor, descendant string) (commits []Object, ok bool) {
	own := r.files()
	if own == nil || ancestor == "" {
		return nil, false
	}
	return own.line(ancestor, descendant)
}

// Commit returns the commit that rev names.
func (r *Reader) Commit(rev string) (Object, error) {
	if rev == "" || strings.ContainsAny(rev, "\n\x00") {
		return Object{}, badRevision(rev, nil)
	}
	o, err := r.Ask(rev)
	if err == nil && o.Kind == "tag" {
		o, err = r.Ask(o.ID + "^{commit}")
	}
	switch {
	case err != nil && r.ctx.Err() != nil:
		return Object{}, err
	case errors.Is(err, ErrNoObject):
		return Object{}, badRevision(rev, nil)
	case err != nil:
		return Object{}, badRevision(rev, err)
	case o.Kind != "commit":
		return Object{}, fmt.Errorf("%q is a %s and %w", rev, o.Kind, ErrBadRevision)
	}
	return o, nil
}

// badRevision adds git's own message if git failed.
func badRevision(rev string, why error) error {
	var pe *proc.Error
	if errors.As(why, &pe) {
		return fmt.Errorf("%q %w: %s", rev, ErrBadRevision, strings.TrimPrefix(pe.Stderr, "fatal: "))
	}
	return fmt.Errorf("%q %w", rev, ErrBadRevision)
}

// File returns the file at path (slash-separated, from the root) in a commit, named by its id. The error is ErrNotFound,
// ErrBadRevision or ErrMissing.
func (r *Reader) File(commit, path string) (Blob, error) {
	if !r.IsID(commit) {
		return Blob{}, badRevision(commit, nil)
	}
	if !ValidPath(path) {
		return Blob{}, notFound(commit, path)
	}
	if own := r.files(); own != nil {
		if id, ok := own.lookup(commit, path); ok && id == "" {
			return Blob{}, notFound(commit, path)
		}
	}
	o, err := r.Ask(commit + ":" + path)
	switch {
	case errors.Is(err, ErrNoObject):
		return Blob{}, r.whyMissing(commit, path)
	case err != nil:
		return Blob{}, r.Missing(path, err)
	case o.Kind != "blob":
		return Blob{}, notFound(commit, path)
	}
	return Blob{ID: o.ID, Data: o.Data}, nil
}

// whyMissing returns the error for a file that cannot be read: the commit does not exist, its tree has no such file, or the
// tree has it and the object is missing.
func (r *Reader) whyMissing(commit, path string) error {
	if _, err := r.Ask(commit); err != nil {
		return badRevision(commit, err)
	}
	dir, name := splitPath(path)
	if o, err := r.Ask(commit + ":" + dir); err == nil && o.Kind == "tree" {
		if _, ok, _ := odb.FindEntry(o.Data, name, r.repo.IDSize()); ok {
			return r.Missing(path, nil)
		}
	}
	return notFound(commit, path)
}

// Missing returns the error for a missing object of the file at path; why is nil if git only reports it missing.
func (r *Reader) Missing(path string, why error) error {
	if r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	if why != nil {
		return fmt.Errorf("%s: %w: %v", path, ErrMissing, why)
	}
	return fmt.Errorf("%s: %w", path, ErrMissing)
}

func notFound(commit, path string) error {
	return fmt.Errorf("%s is %w (%.12s)", path, ErrNotFound, commit)
}

// IsID reports whether a text is an object id.
func (r *Reader) IsID(s string) bool {
	return len(s) == hex.EncodedLen(r.repo.IDSize()) && strings.Trim(s, "0123456789abcdef") == ""
}

// ValidPath reports whether path is a plain relative path without line breaks, as requests to `git cat-file` need.
func ValidPath(path string) bool { return IsPlain(path) && !strings.Contains(path, "\n") }

// IsPlain reports whether path is a plain relative path.
func IsPlain(path string) bool {
	if path == "" || strings.Contains(path, "\x00") {
		return false
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// splitPath splits off the last part: "a/b/c" becomes "a/b" and "c".
func splitPath(path string) (dir, name string) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

// Ask returns one object. The error is ErrNoObject if there is none of that name.
func (r *Reader) Ask(name string) (Object, error) {
	if err := r.Send(name); err != nil {
		return Object{}, err
	}
	return r.Receive()
}

// Send asks for objects; Receive must then be called once for each, in order.
func (r *Reader) Send(names ...string) error {
	if r.readAll(names) {
		return nil
	}
	if err := r.Start(); err != nil {
		return err
	}
	if _, err := r.talk.Write([]byte(strings.Join(names, "\n") + "\n")); err != nil {
		r.talk = nil
		return err
	}
	return nil
}

// readAll reads objects from files, and reports whether all were found there.
func (r *Reader) readAll(names []string) bool {
	own := r.files()
	if own == nil || r.ctx.Err() != nil {
		return false
	}
	for _, name := range names {
		o, ok := own.ask(name)
		if !ok {
			r.read = nil
			return false
		}
		r.read = append(r.read, o)
	}
	return true
}

// files returns what reads the repository's files, nil where git is to read everything.
func (r *Reader) files() *ownObjects {
	if !r.opened {
		r.opened, r.own = true, openOwn(r.ctx, r.repo)
	}
	return r.own
}

// Start starts the process with options, unless it is running.
func (r *Reader) Start(options ...string) error {
	if r.talk != nil {
		return nil
	}
	talk, err := r.repo.Git().Start(r.ctx, r.repo.Git().Cmd(append([]string{"cat-file", "--batch"}, options...)...))
	if err == nil {
		r.talk = talk
	}
	return err
}

// Receive reads one reply. git replies with a line, "<id> <type> <size>" or "<name> missing", and the content. It exits on
// some names, e.g. "@{upstream}" where there is none; the next request then starts it again.
func (r *Reader) Receive() (Object, error) {
	if len(r.read) > 0 {
		o := r.read[0]
		r.read = r.read[1:]
		return o, nil
	}
	line, err := r.talk.Out.ReadString('\n')
	if err != nil {
		return Object{}, r.fail(err)
	}
	line = line[:len(line)-1]
	if strings.HasSuffix(line, " missing") || strings.HasSuffix(line, " ambiguous") {
		return Object{}, ErrNoObject
	}
	var o Object
	fields := strings.Split(line, " ")
	if len(fields) != 3 {
		return Object{}, r.fail(fmt.Errorf("unexpected answer %q", line))
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return Object{}, r.fail(err)
	}
	o.ID, o.Kind, o.Data = fields[0], fields[1], make([]byte, size+1)
	if _, err := io.ReadFull(r.talk.Out, o.Data); err != nil {
		return Object{}, r.fail(err)
	}
	o.Data = o.Data[:size]
	return o, nil
}

// IsRunning reports whether the process is running: git exits on some names, see Receive.
func (r *Reader) IsRunning() bool { return r.talk != nil }

// Feed sends all names that it reads, a line each, in the background; Receive must then be called once for each.
func (r *Reader) Feed(names io.Reader) { r.talk.Feed(names) }

// Detach returns a reader that takes over the files and the process of r.
func (r *Reader) Detach() *Reader {
	other := *r
	*r = Reader{repo: r.repo, ctx: r.ctx}
	return &other
}

func (r *Reader) fail(cause error) error {
	err := r.talk.Fail(cause)
	r.talk = nil
	return err
}

// Close closes the files, and ends the process if there is one.
func (r *Reader) Close() error {
	if r.own != nil {
		r.own.store.Close()
	}
	r.own, r.opened, r.read = nil, false, nil
	if r.talk == nil {
		return nil
	}
	talk := r.talk
	r.talk = nil
	return talk.Close()
}
