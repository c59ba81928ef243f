package evidence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"git-ralph/internal/git"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/sha256"
)

// A Receipt is what the message of a commit that accepts a task says of a check that proved it.
type Receipt struct {
	Check
	Commit string // that the check was run on
	Tree   string // of that commit
	Exit   int
	Took   time.Duration
	Output string // SHA-256 of the output, in hex
	At     string // when, as in other trailers
	By     string // the address of who had it run

	Altered bool // the text is not the one that was written, or is gone; nothing else of it can be relied on
	text    string
	why     string // it counts as altered
}

// Receipts returns the receipts of the checks of a task among results, if each of its checks passed.
func Receipts(task plan.Record, results []Result, by string) []Receipt {
	if !Proved(task, results) {
		return nil
	}
	var all []Receipt
	for _, r := range results {
		if r.Task == task.ID() {
			all = append(all, Receipt{
				Check: r.Check, Commit: r.Commit, Tree: r.Tree, Exit: r.Exit, Took: r.Took, Output: r.Hash, At: plan.FormatTime(r.At), By: by,
			})
		}
	}
	return all
}

// Trailers returns the lines of a commit message for receipts of the tasks that events accept.
func Trailers(receipts []Receipt, events []plan.Event) (lines []string) {
	for _, e := range events {
		for _, r := range receipts {
			if e.Name == plan.EventAccepted && e.ID == r.Task {
				lines = append(lines, r.Trailer())
			}
		}
	}
	return lines
}

// countMember is the member in which the trailer of an acceptance says how many receipts there are of it.
const countMember = "evidence"

// Announce adds to events that accept tasks how many receipts there are of each, so that one which is removed is missed.
func Announce(events []plan.Event, receipts []Receipt) {
	for i, e := range events {
		if n := len(Trailers(receipts, events[i:i+1])); n > 0 {
			events[i].Detail = append(slices.Clone(e.Detail), jsonl.Member{Name: countMember, Value: jsonl.Value(strconv.Itoa(n))})
		}
	}
}

// announced returns the task that a line of a message accepts, and how many receipts of it there are to be.
func announced(line string) (task string, n int) {
	rest, found := strings.CutPrefix(line, plan.EventTrailer+string(plan.EventAccepted)+" ")
	if !found {
		return "", 0
	}
	task, detail, _ := strings.Cut(rest, " ")
	object, err := jsonl.ParseObject(detail)
	if err != nil {
		return "", 0
	}
	value, _ := object.Get(countMember)
	n, _ = strconv.Atoi(string(value)) // where there is none it is 0
	return task, n
}

// sumMember is the last member of a receipt, up to its value: the SHA-256 of all of the line before it.
const (
	sumMember = `, "sum": "`
	sumEnd    = `"}`
	sumLength = 64
)

// Trailer returns the line of a commit message. Its JSON is on one line, whatever is in the plan.
func (r Receipt) Trailer() string {
	members := []jsonl.Member{
		{Name: "check", Value: jsonl.Quote(r.Line)},
		{Name: "commit", Value: jsonl.Quote(r.Commit)},
		{Name: "tree", Value: jsonl.Quote(r.Tree)},
		{Name: "exit", Value: jsonl.Value(strconv.Itoa(r.Exit))},
		{Name: "ms", Value: jsonl.Value(strconv.FormatInt(r.Took.Milliseconds(), 10))},
		{Name: "output", Value: jsonl.Quote(r.Output)},
		{Name: "at", Value: jsonl.Quote(r.At)},
		{Name: "by", Value: jsonl.Quote(printable(r.By))},
	}
	text := plan.EvidenceTrailer + r.Task + " " + strings.TrimSuffix(jsonl.Build(members).Text(), "}")
	return text + sumMember + sumOf(text) + sumEnd
}

func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

func sumOf(text string) string {
	h := sha256.New()
	h.Write([]byte(text))
	return h.Hex()
}

// ReceiptsIn returns the receipts in a commit's message, in its order, then those that are missing. A line is one that begins as
// a receipt does or ends as one does, so that no single change hides it.
func ReceiptsIn(message string) []Receipt {
	var all []Receipt
	var tasks []string
	expected := map[string]int{}
	for line := range strings.Lines(message) {
		line = strings.TrimRight(git.CutMarks(line), " \t\r\n")
		if _, sum := cutSum(line); sum != "" || strings.HasPrefix(line, plan.EvidenceTrailer) {
			r := readReceipt(line)
			all = append(all, r)
			expected[r.Task]--
		} else if task, n := announced(line); n > 0 {
			tasks = append(tasks, task)
			expected[task] += n
		}
	}
	unreadable := -expected[""] // which task's these were is not known
	for _, task := range tasks {
		if missing := expected[task] - unreadable; missing > 0 {
			expected[task] = 0
			all = append(all, Receipt{
				Check: Check{Task: task}, Altered: true, text: fmt.Sprintf("%s lacks %d", task, missing),
				why: "the commit says that there are more receipts of the task",
			})
		}
	}
	return all
}

// cutSum cuts a line at its sum, which is "" where it does not end in one.
func cutSum(line string) (text, sum string) {
	at := len(line) - len(sumMember) - sumLength - len(sumEnd)
	if at < 0 || !strings.HasPrefix(line[at:], sumMember) || !strings.HasSuffix(line, sumEnd) {
		return line, ""
	}
	sum = line[at+len(sumMember) : len(line)-len(sumEnd)]
	if strings.Trim(sum, "0123456789abcdef") != "" {
		return line, ""
	}
	return line[:at], sum
}

const whyAltered = "its text is not the one that was written"

// readReceipt reads a line. What it can read of an altered one is there for people to look at.
func readReceipt(line string) Receipt {
	text, sum := cutSum(line)
	r := Receipt{Altered: sum == "" || sum != sumOf(text), text: line}
	rest, named := strings.CutPrefix(text, plan.EvidenceTrailer)
	task, detail, _ := strings.Cut(rest, " ")
	object, err := jsonl.ParseObject(detail + "}")
	if !named || err != nil || !plan.ValidID(plan.KindTask, task) {
		return Receipt{Altered: true, text: line, why: whyAltered}
	}
	str := func(name string) string {
		value, _ := object.Get(name)
		text, _ := value.Str()
		return text
	}
	number := func(name string) int {
		value, _ := object.Get(name)
		n, err := strconv.Atoi(string(value))
		r.Altered = r.Altered || err != nil
		return n
	}
	r.Check = Check{task, str("check")}
	r.Commit, r.Tree, r.Output, r.At, r.By = str("commit"), str("tree"), str("output"), str("at"), str("by")
	r.Exit, r.Took = number("exit"), time.Duration(number("ms"))*time.Millisecond
	if r.Altered {
		r.why = whyAltered
	}
	return r
}

// Summary says in one line what the receipt says.
func (r Receipt) Summary() string {
	if r.Altered {
		return "the receipt was altered: " + r.why
	}
	return fmt.Sprintf("`%s` ended with %d on %.9s after %s", r.Line, r.Exit, r.Commit, r.Took)
}

// Proved reports whether a task has checks, and all of them are among the results and passed.
func Proved(task plan.Record, results []Result) bool {
	lines := task.Checks()
	for _, line := range lines {
		if !passed(Check{task.ID(), line}, results) {
			return false
		}
	}
	return len(lines) > 0
}

func passed(check Check, results []Result) bool {
	for _, r := range results {
		if r.Check == check {
			return r.State == Passed
		}
	}
	return false
}
