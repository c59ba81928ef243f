// Dist builds a release into the directory dist of the source tree, which `make dist` runs it in: archives, packages for
// Debian and for RPM, a bill of materials for each platform, and the checksums of them all. The same commit and the same
// version of Go give the same bytes, on any machine. No shipped program contains it.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// outDir is where a release is built, in the source tree. git ignores it.
const outDir = "dist"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stderr))
}

func run(ctx context.Context, args []string, errs io.Writer) int {
	flags := flag.NewFlagSet("dist", flag.ContinueOnError)
	flags.SetOutput(errs)
	names := flags.String("targets", strings.Join(supported(), " "), "the `PLATFORMS` to build for, separated by spaces")
	maintainer := flags.String("maintainer", "", "`NAME <ADDRESS>` in the packages (default: the commit's committer)")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		fmt.Fprintln(errs, "usage: go run ./internal/dist [-targets PLATFORMS] [-maintainer 'NAME <ADDRESS>']")
		return 2
	}
	targets, err := parsePlatforms(*names)
	if err != nil {
		fmt.Fprintln(errs, "dist: error:", err)
		return 2
	}
	if err := build(ctx, targets, *maintainer, errs); err != nil {
		fmt.Fprintln(errs, "dist: error:", err)
		return 1
	}
	return 0
}

// build makes the release of the commit that is checked out. The checksums are written last, so a release without them is one
// that was interrupted.
func build(ctx context.Context, targets []platform, maintainer string, progress io.Writer) error {
	rel, err := readRelease(ctx, maintainer)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "git-ralph-dist.")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) //nolint:errcheck // temporary
	if err := os.RemoveAll(outDir); err != nil {
		return err
	}
	if err := os.Mkdir(outDir, 0o755); err != nil {
		return err
	}
	fmt.Fprintf(progress, "git ralph %s, %s\n", rel.version, rel.date.Format(time.RFC3339))
	shared, err := rel.makeShared(ctx, filepath.Join(work, "shared"))
	if err != nil {
		return err
	}
	for _, p := range targets {
		began := time.Now()
		if err := rel.makePlatform(ctx, p, shared, filepath.Join(work, p.dashed())); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		fmt.Fprintf(progress, "%s: %.0f s\n", p, time.Since(began).Seconds())
	}
	return writeSums(outDir)
}

// makePlatform builds all that the release has for one platform. dir is its own, for files on the way.
func (r release) makePlatform(ctx context.Context, p platform, shared []file, dir string) error {
	programs, err := r.compile(ctx, p, filepath.Join(dir, "programs"))
	if err != nil {
		return err
	}
	used, err := readModules(ctx, p)
	if err != nil {
		return err
	}
	bill, err := r.billOfMaterials(p, programs, used)
	if err != nil {
		return err
	}
	name := "git-ralph-" + r.number() + "-" + p.dashed()
	if err := os.WriteFile(filepath.Join(outDir, name+".cdx.json"), bill, 0o644); err != nil {
		return err
	}
	licences := filepath.Join(dir, thirdParty)
	if err := os.WriteFile(licences, licenceTexts(used), 0o644); err != nil {
		return err
	}
	files := append([]file{{name: thirdParty, source: licences}}, shared...)
	files = append(files, programs...)
	if err := r.writeArchive(p, name, files, dir); err != nil {
		return err
	}
	if p.os != "linux" {
		return nil
	}
	return r.writePackages(ctx, p, files, used, dir)
}
