package commit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/proc"
)

// refUpdate is a running `git update-ref --stdin`. It is started early, to be ready when it is needed.
//
// git before 2.34 prints its replies only when it ends. It is used without them: it gets all commands at once, and its exit
// status reports whether they succeeded.
type refUpdate struct {
	ctx            context.Context
	talk           *proc.Conversation // nil when it could not be started; set once started is closed
	started        chan struct{}
	answer         chan error // the answer to "start"
	waited         bool       // answer was taken
	err            error      // the first failure
	commands       string     // the references and their values
	withoutAnswers bool
}

// answerTime is how long we wait for the reply to "start" before we assume that git is older than 2.34. If that is wrong, a move
// of HEAD to another branch at this moment may go unnoticed; the compare-and-swap is never lost.
const answerTime = 500 * time.Millisecond

// startRefUpdate starts git and returns at once; prepared returns what went wrong. The end of ctx does not end git, because
// nothing may come between prepare and commit.
func startRefUpdate(ctx context.Context, r *git.Repo, reason string) *refUpdate {
	u := &refUpdate{ctx: ctx, started: make(chan struct{}), answer: make(chan error, 1)}
	c := r.Git().Cmd("update-ref", "-m", reason, "--stdin", "-z")
	c.Env = append(slices.Clip(c.Env), "LC_ALL=C") // isRace reads its messages
	go func() {
		talk, err := r.Git().Start(context.WithoutCancel(ctx), c)
		u.talk = talk
		close(u.started)
		if err != nil {
			u.answer <- err
			return
		}
		if _, err := talk.Write([]byte("start\x00")); err != nil {
			u.answer <- err
			return
		}
		u.answer <- u.expect("start")
	}()
	return u
}

func (u *refUpdate) expect(word string) error {
	line, err := u.talk.Out.ReadString('\n')
	if err != nil {
		return u.talk.Fail(err)
	}
	if strings.TrimRight(line, "\n") != word+": ok" {
		return u.talk.Fail(fmt.Errorf("unexpected answer %q", line))
	}
	return nil
}

// lock waits for git to be ready and has it lock the references and check their old values; prepared waits for the result.
func (u *refUpdate) lock(command string) {
	u.commands = command
	select {
	case u.err = <-u.answer:
		u.waited = true
	case <-u.ctx.Done():
		u.err = context.Cause(u.ctx)
	case <-time.After(answerTime):
		u.withoutAnswers = true
	}
	if u.err == nil && !u.withoutAnswers {
		_, u.err = u.talk.Write([]byte(command + "prepare\x00"))
	}
}

func (u *refUpdate) prepared() error {
	if u.err != nil || u.withoutAnswers {
		return u.err
	}
	return u.expect("prepare")
}

// commit moves the references.
func (u *refUpdate) commit() error {
	command := "commit\x00"
	if u.withoutAnswers {
		if <-u.started; u.talk == nil {
			return u.end()
		}
		command = u.commands + command
	}
	if _, err := u.talk.Write([]byte(command)); err != nil {
		return err
	}
	if u.withoutAnswers {
		return u.end()
	}
	return u.expect("commit")
}

// end closes git's input and returns its exit status. Without a commit before it, git drops its locks and moves
// nothing.
func (u *refUpdate) end() error {
	<-u.started
	if u.talk != nil {
		u.talk.CloseInput()
	}
	if !u.waited {
		u.waited = true
		if err := <-u.answer; u.err == nil {
			u.err = err
		}
	}
	if u.talk == nil {
		return u.err
	}
	return u.talk.Close()
}

// zeroID is the id of no object.
func zeroID(r *git.Repo) string { return strings.Repeat("00", r.IDSize()) }
