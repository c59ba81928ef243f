package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// leftGrace is how long what a killed run left behind may take to end, from TERM to KILL.
const leftGrace = 2 * time.Second

// ask prints a question and returns the answer, a line without white space around it. The end of input is an error.
func (e *Env) ask(question string) (string, error) {
	fmt.Fprint(e.Err, question)
	if e.answers == nil {
		e.answers = bufio.NewReader(e.In)
	}
	line, err := e.answers.ReadString('\n')
	if err != nil && line == "" {
		fmt.Fprintln(e.Err)
		return "", io.EOF
	}
	return strings.TrimSpace(line), nil
}

// errAborted ends a command after the user said no. Nothing was changed.
var errAborted = fmt.Errorf("aborted; nothing was changed")

// commitFirst commits a plan with uncommitted changes, if the user agrees after seeing what it removes. Yes is the answer of
// Enter.
func (e *Env) commitFirst(ctx context.Context, st *store.Store, agreed bool) error {
	edits, err := st.Uncommitted(ctx)
	if err != nil || edits == nil {
		return err
	}
	snap, err := st.View(ctx)
	if err != nil {
		return err
	}
	if _, err := snap.Valid(); err != nil { // to commit it is no answer then
		return err
	}
	if len(edits.Removed) > 0 {
		e.warn(fmt.Sprintf("the uncommitted changes of %s remove %s", st.PlanPath(), store.Listed(edits.Removed)))
	}
	if !agreed {
		if !e.Asks {
			return &hintedError{errUncommitted, "commit it, or give --commit-plan"}
		}
		answer, err := e.ask("plan.jsonl has uncommitted changes. Commit now? [Y/n] ")
		if err != nil || !saysYes(answer) {
			return errAborted
		}
	}
	_, err = e.transact(ctx, st, store.Request{
		OwnEdits: true, Keep: store.KeepAll, Do: func(*plan.Plan, store.Inputs) (plan.Change, error) { return plan.Change{}, nil },
	})
	return err
}

// errDirty says that a run would mix the user's work with its own.
var errDirty = errors.New("files have uncommitted changes that no run left")

// allowDirty asks whether a run may begin although the user has changed files. Yes is not the answer of Enter.
func (e *Env) allowDirty(ctx context.Context, c crew, agreed bool) error {
	dirty, err := loop.UsersChanges(ctx, c.store, c.journal)
	if err != nil || len(dirty) == 0 || agreed {
		return err
	}
	if !e.Asks {
		return &hintedError{fmt.Errorf("%w: %s", errDirty, loop.Listed(dirty)), "`git stash` puts them aside; --allow-dirty begins, and never commits them"}
	}
	answer, err := e.ask("These files have uncommitted changes that no run left: " + printable(loop.Listed(dirty)) + "\nBegin, and never commit these files? [y/N] ")
	if err != nil || answer == "" || !saysYes(answer) {
		return errAborted
	}
	return nil
}

func saysYes(answer string) bool {
	switch strings.ToLower(answer) {
	case "", "y", "yes":
		return true
	}
	return false
}
