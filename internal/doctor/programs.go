package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/ownprogram"
	"git-ralph/internal/proc"
	"git-ralph/internal/uiprogram"
	"git-ralph/internal/workplan/parser"
)

// programs checks that our programs are on the PATH, where hooks and git look for them.
func (p Repository) programs(ctx context.Context) []Finding {
	var findings []Finding
	for _, name := range []string{"git-ralph", "git-ralph-merge-driver"} {
		f := Finding{Name: name, Level: Fine}
		path, err := proc.LookPath(name, p.Environ)
		if err != nil {
			f.Level, f.Cause = Warning, "it is not on the PATH, so hooks and merges started elsewhere may not find it"
			f.Repair = p.pathAdvice(name)
			findings = append(findings, f)
			continue
		}
		f.Cause = path
		if name == "git-ralph" {
			p.sameProgram(ctx, path, &f)
		}
		findings = append(findings, f)
	}
	return append(findings, p.parser(), p.uiProgram(ctx))
}

// parser checks the program that reads workplans. git-ralph starts it, from its own places or from the PATH.
func (p Repository) parser() Finding {
	f := Finding{Name: parser.Name, Level: Fine}
	path, err := ownprogram.Find(f.Name, p.Program, p.Dir, p.Environ)
	if missing, ok := errors.AsType[*ownprogram.MissingError](err); ok {
		f.Level, f.Cause, f.Repair = Warning, err.Error()+": workplans cannot be read", missing.Hint()
		return f
	}
	f.Cause = path
	return f
}

// uiProgram checks the program of the commands that need heavy packages. All others work without it.
func (p Repository) uiProgram(ctx context.Context) Finding {
	f := Finding{Name: uiprogram.Name, Level: Fine}
	path, err := ownprogram.Find(uiprogram.Name, p.Program, p.Dir, p.Environ)
	if missing, ok := errors.AsType[*ownprogram.MissingError](err); ok {
		f.Level, f.Cause, f.Repair = Advice, err.Error()+": `git ralph mcp` does not work", missing.Hint()
		return f
	}
	f.Cause = path
	if version, err := p.versionOf(ctx, path); err != nil || version != p.Version {
		other := &uiprogram.VersionError{Own: version, By: p.Version}
		f.Level, f.Cause, f.Repair = Warning, path+": "+other.Error(), other.Hint()
	}
	return f
}

// pathAdvice returns how to get a missing program onto the PATH.
func (p Repository) pathAdvice(name string) string {
	dir := filepath.Dir(p.Program)
	if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
		return fmt.Sprintf("%s has no %s: install git ralph again, with all of its programs", dir, name)
	}
	if path, _ := proc.LookPath(filepath.Base(p.Program), p.Environ); path != "" && filepath.Dir(path) == dir {
		return fmt.Sprintf("make %s executable", filepath.Join(dir, name))
	}
	return "add the directory " + dir + " to the PATH of your login shell"
}

// sameProgram reports a program on the PATH that is not this one.
func (p Repository) sameProgram(ctx context.Context, path string, f *Finding) {
	here, errHere := os.Stat(p.Program)
	there, errThere := os.Stat(path)
	if errHere == nil && errThere == nil && os.SameFile(here, there) {
		return
	}
	version, err := p.versionOf(ctx, path)
	if err == nil && version == p.Version {
		return
	}
	f.Level = Warning
	f.Cause = fmt.Sprintf("the PATH has %s, version %q; this is %s, version %q", path, version, p.Program, p.Version)
	f.Repair = "remove the older one, or put the other directory first on the PATH"
}

// versionOf returns the version that one of our programs has.
func (p Repository) versionOf(ctx context.Context, path string) (string, error) {
	res, err := proc.Run(ctx, proc.Cmd{Name: path, Args: []string{"version"}, Env: p.Environ})
	return strings.TrimPrefix(strings.TrimSpace(string(res.Stdout)), "git-ralph version "), err
}
