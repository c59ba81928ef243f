package store

import "strings"

// regain starts from the plan of our last commit where that was amended and lost
// its change on the way: a checkout of the branch that began before our commit
// writes the index of the commit before it, and `git commit --amend` then commits
// that under our message.
func (t *transaction) regain() error {
	former, err := t.tx.Amended(subjectPrefix)
	if err != nil || former.ID == "" {
		return err
	}
	data, exists, err := t.tx.Content(former.ID + ":" + t.path)
	if err != nil || !exists {
		return err
	}
	lost := written{hash: hashOf(data)}
	for line := range strings.Lines(former.Message) {
		if strings.HasPrefix(line, eventTrailer) {
			lost.trailers = append(lost.trailers, strings.TrimSuffix(line, "\n"))
		}
	}
	t.before, t.regained, t.pending = file{data, true}, true, note{lost}
	return nil
}
