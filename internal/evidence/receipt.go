package evidence

import (
	"cmp"
	"fmt"
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

	Altered bool // the text is not the one that was written; nothing else of it can be relied on
	text    string
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

// ReceiptsIn returns the receipts in a commit's message, in its order. A line is one that begins as a receipt does or ends as
// one does, so that no single change hides it.
func ReceiptsIn(message string) []Receipt {
	var all []Receipt
	for line := range strings.Lines(message) {
		line = strings.TrimRight(git.CutMarks(line), " \t\r\n")
		if _, sum := cutSum(line); sum != "" || strings.HasPrefix(line, plan.EvidenceTrailer) {
			all = append(all, readReceipt(line))
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

// readReceipt reads a line. What it can read of an altered one is there for people to look at.
func readReceipt(line string) Receipt {
	text, sum := cutSum(line)
	r := Receipt{Altered: sum == "" || sum != sumOf(text), text: line}
	rest, named := strings.CutPrefix(text, plan.EvidenceTrailer)
	task, detail, _ := strings.Cut(rest, " ")
	object, err := jsonl.ParseObject(detail + "}")
	if !named || err != nil || !plan.ValidID(plan.KindTask, task) {
		return Receipt{Altered: true, text: line}
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
	return r
}

// Summary says in one line what the receipt says.
func (r Receipt) Summary() string {
	if r.Altered {
		return "the receipt was altered: " + cmp.Or(r.Line, r.text)
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
