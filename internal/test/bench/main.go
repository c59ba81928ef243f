// Command bench measures git-ralph against git and against a Go hello-world, and prints the figures beside their goals.
//
// A figure compares medians of runs that alternate in one session. Where no program can take less than its start does,
// it is the difference from a hello-world in milliseconds; elsewhere it is a ratio, which holds on slow and busy machines,
// too. Repositories and plans are generated once and kept in BENCH_DIR (default: a directory for temporary files). A
// missed goal is shown as MISS; only with BENCH_STRICT=1 does it make the exit status 1.
//
// Each topic has a file of its own and gives rows; see topics for the list.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// row is one line of the table.
type row struct {
	what        string
	ours, rival string  // as shown, with unit; rival is empty for a count
	value       float64 // the ratio, the count, or the difference in unit
	goal        float64 // the most that value may be
	unit        string  // of value and goal, as in "ms"; empty for a ratio or a count
}

func (r row) ok() bool { return r.value <= r.goal }

// figure is the column of what is held to the goal, where that does not stand in the column of ours already.
func (r row) figure() string {
	switch {
	case r.rival == "":
		return ""
	case r.unit != "":
		return fmt.Sprintf("%+.2f %s", r.value, r.unit)
	case r.value < 0.01:
		return fmt.Sprintf("%.1g", r.value)
	}
	return fmt.Sprintf("%.2f", r.value)
}

// topic is a group of rows with one subject.
type topic struct {
	name string
	run  func(context.Context, *lab) ([]row, error)
}

func topics() []topic {
	return []topic{
		{"start", measureStart},
		{"query", measureQueries},
		{"mutation", measureMutations},
		{"processes", countProcesses},
		{"claims", measureClaims},
		{"agents", measureAgents},
		{"land", measureLandings},
		{"hooks", measureHooks},
		{"walk", measureWalks},
		{"log", measureLogs},
		{"merge", measureMerges},
		{"rebase", measureRebase},
		{"loop", measureLoop},
		{"board", measureBoard},
		{"rivals", compareRivals},
	}
}

func main() {
	bin := flag.String("bin", "bin/git-ralph", "the program to measure")
	only := flag.String("only", "", "measure just this topic: start, query, mutation, processes, claims, agents, land, hooks, walk, log, merge, rebase, loop, board or rivals")
	runs := flag.Int("runs", 41, "alternating runs a figure; a third of them where one run is long")
	peak := flag.Bool("peak", false, "run the command given as arguments and print the most memory that it had, in bytes")
	talk := flag.String("talk", "", "be an agent that prints for a while, in this format, and write what its parent used into the file given as argument")
	var size crowdSize
	size.flags()
	flag.Parse()
	if *talk != "" {
		os.Exit(beTalkative(*talk, flag.Arg(0)))
	}
	if *peak {
		os.Exit(printPeak(flag.Args()))
	}
	missed, err := run(context.Background(), os.Stdout, *bin, *only, *runs, size)
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: error: %v\n", err)
		os.Exit(1)
	}
	if missed > 0 && os.Getenv("BENCH_STRICT") == "1" {
		os.Exit(1)
	}
}

// run measures the wanted topics, prints the table and returns the number of goals missed.
func run(ctx context.Context, out io.Writer, bin, only string, runs int, size crowdSize) (int, error) {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return 0, err
	}
	lab, err := newLab(ctx, bin, runs)
	if err != nil {
		return 0, err
	}
	defer lab.close()
	lab.out, lab.size = out, size
	var rows []row
	for _, t := range topics() {
		if only != "" && only != t.name {
			continue
		}
		fmt.Fprintf(os.Stderr, "bench: %s\n", t.name)
		got, err := t.run(ctx, lab)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", t.name, err)
		}
		rows = append(rows, got...)
	}
	return printTable(out, rows), nil
}

// printTable writes the rows in columns and returns the number of goals missed.
func printTable(out io.Writer, rows []row) int {
	missed := 0
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tours\trival\tfigure\tgoal\tok")
	fmt.Fprintln(w, strings.Repeat("-\t", 5)+"-")
	for _, r := range rows {
		verdict := "ok"
		if !r.ok() {
			verdict = "MISS"
			missed++
		}
		goal := strings.TrimSpace(fmt.Sprintf("<= %.4g %s", r.goal, r.unit))
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", r.what, r.ours, r.rival, r.figure(), goal, verdict)
	}
	w.Flush()
	return missed
}
