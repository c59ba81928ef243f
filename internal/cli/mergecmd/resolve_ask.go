package mergecmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
)

// An asker settles conflicts by questions on standard error and answers from
// standard input, a line each, from a person or a pipe.
type asker struct {
	env  *term.Env
	plan *plan.Plan // as the answers so far leave it
}

// errQuit ends the questions. The answers so far count.
var errQuit = errors.New("quit")

// askAll asks about all conflicts. An interrupt ends it and drops the answers.
func (a asker) askAll(ctx context.Context, all []recordedConflict) ([]plan.Choice, error) {
	a.env.Hint("answers are written when the questions end; q ends them, Ctrl-C changes nothing")
	if a.env.Interruptible == nil {
		return a.ask(all)
	}
	ctx, stop := a.env.Interruptible(ctx)
	defer stop()
	answered := make(chan struct{})
	var choices []plan.Choice
	var failed error
	go func() { // a read from standard input cannot be interrupted
		defer close(answered)
		choices, failed = a.ask(all)
	}()
	select {
	case <-answered:
		return choices, failed
	case <-ctx.Done():
		io.WriteString(a.env.Err, "\n")
		a.env.Say("error", "interrupted; nothing was changed")
		return nil, context.Cause(ctx)
	}
}

// ask asks about each conflict and returns what was chosen. The end of the input
// ends the questions.
func (a asker) ask(all []recordedConflict) ([]plan.Choice, error) {
	var choices []plan.Choice
	for _, c := range all {
		if !a.isOpen(c.Conflict) {
			continue
		}
		c.show(a.env.OnErr())
		choice, chosen, err := a.askOne(c.Conflict)
		if errors.Is(err, errQuit) {
			return choices, nil
		}
		if err != nil {
			return nil, err
		}
		if chosen {
			choices = append(choices, choice)
		}
	}
	return choices, nil
}

// isOpen reports whether a conflict is still in the plan: an answer to another may have
// settled it too.
func (a asker) isOpen(c plan.Conflict) bool {
	is := func(other plan.Conflict) bool {
		return other.Kind == c.Kind && other.ID == c.ID && other.Field == c.Field
	}
	return slices.ContainsFunc(planprint.StateOf(a.plan).Conflicts(), func(r plan.Record) bool {
		return slices.ContainsFunc(r.Conflicts(), is)
	})
}

// askOne asks until there is an answer that can be carried out. Nothing is chosen
// where the conflict is skipped.
func (a asker) askOne(c plan.Conflict) (choice plan.Choice, chosen bool, err error) {
	question := fmt.Sprintf("take 1 to %d, e to type, s to skip, q to quit? ", len(c.Candidates))
	if c.Field == plan.Removed {
		question = "k to keep, r to remove, s to skip, q to quit? "
	}
	for {
		answer, err := a.question(question)
		if err != nil {
			return plan.Choice{}, false, err
		}
		switch answer {
		case "s":
			return plan.Choice{}, false, nil
		case "q":
			return plan.Choice{}, false, errQuit
		}
		choice, wrong, err := a.parseAnswer(c, answer)
		switch {
		case err != nil:
			return plan.Choice{}, false, err
		case wrong != "":
			a.env.Warn(wrong)
		case a.try(choice):
			return choice, true, nil
		}
	}
}

// try carries a choice out on the plan in memory, or warns why it cannot: so a
// choice that fails does not undo those before it.
func (a asker) try(choice plan.Choice) bool {
	_, err := settleConflict(a.plan, choice)
	if err == nil {
		return true
	}
	a.env.Warn(err.Error())
	if hint := planio.HintFor(err); hint != "" {
		a.env.Hint(hint)
	}
	return false
}

// settleConflict carries out one choice.
func settleConflict(p *plan.Plan, choice plan.Choice) (plan.Change, error) {
	change, err := p.ResolveConflicts([]plan.Choice{choice})
	if _, needed := errors.AsType[*plan.DependantsError](err); needed {
		cancel := "`git ralph task cancel " + choice.ID
		err = &cmdline.HintedError{Err: err, Hint: cancel + " --cascade` cancels those too, " + cancel + " --detach` drops the dependency"}
	}
	return change, err
}

// parseAnswer returns the choice of an answer that is neither to skip nor to quit, or
// what is wrong with the answer.
func (a asker) parseAnswer(c plan.Conflict, answer string) (choice plan.Choice, wrong string, err error) {
	wrong = fmt.Sprintf("%q does not say which", answer)
	if c.Field == plan.Removed {
		if answer == "k" || answer == "r" {
			wrong = ""
		}
		choice, err = keepOrRemove(answer == "r")(c)
		return choice, wrong, err
	}
	if answer == "e" {
		return a.typed(c)
	}
	n, notNumber := strconv.Atoi(answer)
	if notNumber != nil || n < 1 || n > len(c.Candidates) {
		return choice, wrong, nil
	}
	return choiceOf(c, c.Candidates[n-1]), "", nil
}

// typed asks for a value.
func (a asker) typed(c plan.Conflict) (choice plan.Choice, wrong string, err error) {
	text, err := a.question(term.Printable(c.Field) + ": ")
	if err != nil {
		return choice, "", err
	}
	v, err := typed(c, text)
	if err != nil {
		return choice, err.Error(), nil //nolint:nilerr // the question is repeated
	}
	return choiceOf(c, v), "", nil
}

// question asks a question; errQuit is the end of the input.
func (a asker) question(prompt string) (string, error) {
	answer, err := a.env.Ask(prompt)
	if errors.Is(err, io.EOF) {
		err = errQuit
	}
	return answer, err
}
