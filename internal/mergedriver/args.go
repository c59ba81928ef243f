package mergedriver

import (
	"fmt"
	"strconv"
	"strings"
)

// A Job says what to merge. Files are named as the user named them.
type Job struct {
	Base, Ours, Theirs string

	Output         string // where the result goes, "-" for standard output; "" for Ours, as git expects
	MarkerSize     int    // of conflict markers in a merge of plain text, from 1 to 1000
	Path           string // of the plan, for messages; "": that of the result, or Ours
	StopOnConflict bool   // exit with 1 if a conflict was recorded
}

// Sizes of conflict markers.
const (
	defaultMarkerSize = 7    // git's
	maxMarkerSize     = 1000 // a larger one is reduced to this
)

// stdoutName stands for standard output.
const stdoutName = "-"

// A UsageError says what is wrong with a command line.
type UsageError struct{ text string }

func (e *UsageError) Error() string { return e.text }

// Parse reads a command line without the program's name:
//
//	[--stop-on-conflict] [--output FILE] BASE OURS THEIRS [MARKER-SIZE [PATH]]
//
// The only error is a *UsageError.
func Parse(args []string) (Job, error) {
	job := Job{MarkerSize: defaultMarkerSize}
	rest, err := job.takeFlags(args)
	if err != nil {
		return Job{}, err
	}
	return job, job.takeFiles(rest)
}

// takeFlags reads the flags at the front and returns the arguments after them.
func (j *Job) takeFlags(args []string) ([]string, error) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		name, value, attached := strings.Cut(args[0], "=")
		args = args[1:]
		switch {
		case name == "--" && !attached:
			return args, nil
		case name == "--stop-on-conflict" && !attached:
			j.StopOnConflict = true
		case name == "--output":
			if !attached && len(args) > 0 {
				value, args = args[0], args[1:]
			}
			if value == "" {
				return nil, &UsageError{"--output needs a file"}
			}
			j.Output = value
		default:
			return nil, &UsageError{"unknown flag " + name}
		}
	}
	return args, nil
}

func (j *Job) takeFiles(args []string) error {
	if len(args) < 3 || len(args) > 5 {
		return &UsageError{fmt.Sprintf("takes 3 to 5 arguments, base, ours and theirs first; there are %d", len(args))}
	}
	j.Base, j.Ours, j.Theirs = args[0], args[1], args[2]
	if len(args) > 3 {
		size, err := strconv.Atoi(args[3])
		if err != nil || size < 1 {
			return &UsageError{fmt.Sprintf("the marker size is %q, not a number above 0", args[3])}
		}
		j.MarkerSize = min(size, maxMarkerSize)
	}
	if len(args) > 4 {
		j.Path = args[4]
	}
	return nil
}

// target is the file that the result goes to, if it goes to one.
func (j *Job) target() string {
	if j.Output != "" && j.Output != stdoutName {
		return j.Output
	}
	return j.Ours
}

// name is how messages name the plan.
func (j *Job) name() string {
	if j.Path != "" {
		return j.Path
	}
	return j.target()
}
