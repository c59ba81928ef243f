// Command checkreal tries git-ralph on the plans of a real repository, given as a git bundle (or anything else that
// git clones). It looks at every revision of every file named plan.jsonl that the history holds:
//
//   - decoding and encoding gives the same bytes, or the plan is invalid and the reason is reported;
//   - `git-ralph query --rev` agrees with counts that jq made;
//   - `git-ralph log --all` agrees with an independent reading of all commits;
//   - in a clone, every mutation works at once on a sample of the revisions, is one commit of the plan alone, and
//     leaves the records and fields that are not its business byte for byte.
//
// The last line is "N passed, N failed".
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	bin := flag.String("bin", "bin/git-ralph", "the program to try")
	queries := flag.Int("queries", 2000, "how many revisions to query with the program, at most")
	mutated := flag.Int("mutations", 24, "how many distinct plans to change, at most")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: checkreal [-bin PROGRAM] [-queries N] [-mutations N] BUNDLE")
		os.Exit(2)
	}
	r := &report{out: os.Stdout}
	if err := run(context.Background(), r, *bin, flag.Arg(0), *queries, *mutated); err != nil {
		fmt.Fprintf(os.Stderr, "checkreal: error: %v\n", err)
		os.Exit(1)
	}
	if r.close() > 0 {
		os.Exit(1)
	}
}

// run does all checks on one bundle.
func run(ctx context.Context, r *report, bin, bundle string, queries, mutated int) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	if bundle, err = filepath.Abs(bundle); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "git-ralph-checkreal")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p, err := newPlace(ctx, dir, bin, bundle)
	if err != nil {
		return err
	}
	revisions, err := p.revisions(ctx, r)
	if err != nil {
		return err
	}
	plans, err := p.read(ctx, revisions)
	if err != nil {
		return err
	}
	checkCodec(r, plans)
	if err := checkQueries(ctx, r, p, sample(plans, queries)); err != nil {
		return err
	}
	if err := checkHistory(ctx, r, p); err != nil {
		return err
	}
	return checkMutations(ctx, r, p, sample(distinct(plans), mutated))
}

// sample takes n plans, spread evenly, the first and the last among them.
func sample(plans []*planVersion, n int) []*planVersion {
	if len(plans) <= n || n < 2 {
		return plans[:min(len(plans), n)]
	}
	taken := make([]*planVersion, n)
	for i := range taken {
		taken[i] = plans[i*(len(plans)-1)/(n-1)]
	}
	return taken
}
