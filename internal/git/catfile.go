package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"git-ralph/internal/proc"
)

// catFile is the engine that asks one long-lived `git cat-file --batch`.
type catFile struct {
	repo *Repo
	ctx  context.Context
	talk *proc.Conversation // nil before the first question, and after a fatal one
}

// object is one answer.
type object struct {
	id, kind string
	data     []byte
}

// errNoObject: git knows no object by that name.
var errNoObject = errors.New("no such object")

// Resolve implements Reader.
func (c *catFile) Resolve(rev string) (string, error) {
	o, err := c.commit(rev)
	return o.id, err
}

// Time implements Reader.
func (c *catFile) Time(rev string) (int64, error) {
	o, err := c.commit(rev)
	if err != nil {
		return 0, err
	}
	headers, _, _ := strings.Cut(string(o.data), "\n\n")
	_, committer, _ := strings.Cut(headers, "\ncommitter ")
	_, date, _ := strings.Cut(committer, "> ")
	seconds, _, _ := strings.Cut(date, " ")
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q has no date that can be read: %w", rev, ErrBadRevision)
	}
	return n, nil
}

// IsAncestor implements Reader.
func (c *catFile) IsAncestor(ancestor, descendant string) (bool, error) {
	from, err := c.Resolve(descendant)
	if err != nil {
		return false, err
	}
	to, err := c.Resolve(ancestor)
	if err != nil || to == from {
		return err == nil, err
	}
	_, err = c.repo.output(c.ctx, "merge-base", "--is-ancestor", to, from)
	if proc.ExitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// commit gives the commit that rev names.
func (c *catFile) commit(rev string) (object, error) {
	if rev == "" || strings.ContainsAny(rev, "\n\x00") {
		return object{}, badRevision(rev, nil)
	}
	o, err := c.ask(rev)
	if err == nil && o.kind == "tag" {
		o, err = c.ask(o.id + "^{commit}")
	}
	switch {
	case c.ctx.Err() != nil:
		return object{}, err
	case errors.Is(err, errNoObject):
		return object{}, badRevision(rev, nil)
	case err != nil:
		return object{}, badRevision(rev, err)
	case o.kind != "commit":
		return object{}, fmt.Errorf("%q is a %s and %w", rev, o.kind, ErrBadRevision)
	}
	return o, nil
}

// badRevision adds git's own words where git died over the question.
func badRevision(rev string, why error) error {
	var pe *proc.Error
	if errors.As(why, &pe) {
		return fmt.Errorf("%q %w: %s", rev, ErrBadRevision, strings.TrimPrefix(pe.Stderr, "fatal: "))
	}
	return fmt.Errorf("%q %w", rev, ErrBadRevision)
}

// File implements Reader.
func (c *catFile) File(commit, path string) (Blob, error) {
	if !c.isID(commit) {
		return Blob{}, badRevision(commit, nil)
	}
	if !validPath(path) {
		return Blob{}, notFound(commit, path)
	}
	o, err := c.ask(commit + ":" + path)
	switch {
	case errors.Is(err, errNoObject):
		return Blob{}, c.whyMissing(commit, path)
	case err != nil:
		return Blob{}, c.missing(path, err)
	case o.kind != "blob":
		return Blob{}, notFound(commit, path)
	}
	return Blob{ID: o.id, Data: o.data}, nil
}

// whyMissing tells a file that is not there from a commit that is not. An entry whose object is missing is told by the
// tree that holds it.
func (c *catFile) whyMissing(commit, path string) error {
	if _, err := c.ask(commit); err != nil {
		return badRevision(commit, err)
	}
	dir, name := splitPath(path)
	if o, err := c.ask(commit + ":" + dir); err == nil && o.kind == "tree" {
		if _, ok := findEntry(o.data, name, c.repo.hexSize()/2); ok {
			return c.missing(path, nil)
		}
	}
	return notFound(commit, path)
}

func (c *catFile) missing(path string, why error) error {
	if c.ctx.Err() != nil {
		return why
	}
	if why != nil {
		return fmt.Errorf("%s: %w: %v", path, ErrMissing, why)
	}
	return fmt.Errorf("%s: %w", path, ErrMissing)
}

func notFound(commit, path string) error {
	return fmt.Errorf("%s is %w (%.12s)", path, ErrNotFound, commit)
}

func (c *catFile) isID(s string) bool {
	return len(s) == c.repo.hexSize() && strings.Trim(s, "0123456789abcdef") == ""
}

// validPath tells whether path is a plain relative path that fits a line of the conversation.
func validPath(path string) bool { return isPlain(path) && !strings.Contains(path, "\n") }

// isPlain reports whether path is a plain relative path.
func isPlain(path string) bool {
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

// splitPath cuts off the last part: "a/b/c" gives "a/b" and "c".
func splitPath(path string) (dir, name string) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

// ask asks for one object.
func (c *catFile) ask(name string) (object, error) {
	if err := c.send(name); err != nil {
		return object{}, err
	}
	return c.receive()
}

// send asks for objects; receive must then be called once for each, in order.
func (c *catFile) send(names ...string) error {
	if err := c.start(); err != nil {
		return err
	}
	if _, err := c.talk.Write([]byte(strings.Join(names, "\n") + "\n")); err != nil {
		c.talk = nil
		return err
	}
	return nil
}

func (c *catFile) start(options ...string) error {
	if c.talk != nil {
		return nil
	}
	talk, err := c.repo.start(c.ctx, c.repo.cmd(append([]string{"cat-file", "--batch"}, options...)...))
	if err == nil {
		c.talk = talk
	}
	return err
}

// receive reads one answer. git answers with a line, "<id> <type> <size>" or "<name> missing", and the content. It dies
// over some names, e.g. "@{upstream}" without one; the next question then starts it again.
func (c *catFile) receive() (object, error) {
	line, err := c.talk.Out.ReadString('\n')
	if err != nil {
		return object{}, c.fail(err)
	}
	line = line[:len(line)-1]
	if strings.HasSuffix(line, " missing") || strings.HasSuffix(line, " ambiguous") {
		return object{}, errNoObject
	}
	var o object
	fields := strings.Split(line, " ")
	if len(fields) != 3 {
		return object{}, c.fail(fmt.Errorf("unexpected answer %q", line))
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return object{}, c.fail(err)
	}
	o.id, o.kind, o.data = fields[0], fields[1], make([]byte, size+1)
	if _, err := io.ReadFull(c.talk.Out, o.data); err != nil {
		return object{}, c.fail(err)
	}
	o.data = o.data[:size]
	return o, nil
}

func (c *catFile) fail(cause error) error {
	err := c.talk.Fail(cause)
	c.talk = nil
	return err
}

// Close implements Reader.
func (c *catFile) Close() error {
	if c.talk == nil {
		return nil
	}
	talk := c.talk
	c.talk = nil
	return talk.Close()
}
