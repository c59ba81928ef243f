package pipeline

import (
	"slices"
	"strconv"
	"strings"
)

// taskID returns the id of a task, which follows from its item, or the first one of a group, the step and the round.
func taskID(item string, step Step, round int) string {
	id := "t-" + item + "-" + string(step)
	if round > 1 {
		id += "-" + strconv.Itoa(round)
	}
	return id
}

// parseTaskID is the reverse of taskID.
func parseTaskID(id string) (item string, step Step, round int, found bool) {
	rest, found := strings.CutPrefix(id, "t-")
	item, last, cut := cutLast(rest)
	round = 1
	if n, err := strconv.Atoi(last); err == nil && n > 1 {
		round = n
		item, last, cut = cutLast(item)
	}
	step = Step(last)
	return item, step, round, found && cut && slices.Contains(Steps(), step) && taskID(item, step, round) == id
}

// IsPlanOfReview reports whether ids are those of a plan, in any round, and of a review of the same items.
func IsPlanOfReview(planID, reviewID string) bool {
	of, step, _, _ := parseTaskID(planID)
	item, review, _, _ := parseTaskID(reviewID)
	return of == item && step == StepPlan && review == StepReview
}

// cutLast cuts a text at its last hyphen.
func cutLast(text string) (before, after string, found bool) {
	at := strings.LastIndexByte(text, '-')
	if at < 0 {
		return "", text, false
	}
	return text[:at], text[at+1:], true
}
