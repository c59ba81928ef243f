package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"git-ralph/internal/install"
)

// installed checks every item of the installation, and the hooks that are left to other tools.
func (p Repository) installed(ctx context.Context) ([]Finding, error) {
	hooks := p.HasHooks(ctx)
	request := p.Install
	request.Hooks = hooks // an installation without hooks is complete
	statuses, err := install.Inspect(ctx, request)
	if err != nil {
		return nil, err
	}
	isInstalled := slices.ContainsFunc(statuses, func(s install.Status) bool { return s.State != install.Missing })
	var findings []Finding
	for _, s := range statuses {
		f := finding(s)
		if f.Level == Warning && s.State == install.Missing && !s.Incomplete && !isInstalled {
			f.Level = Advice
		}
		findings = append(findings, f)
	}
	if !hooks {
		findings = append(findings, Finding{
			Name: "hooks", Level: Advice, Cause: "no hooks are installed, so nothing checks plans that are committed by hand",
			Repair: "`git ralph install` puts them in place",
		})
	}
	if hooks {
		disabled, err := install.DisabledHooks(ctx, p.Install)
		if err != nil {
			return nil, err
		}
		for _, c := range disabled {
			findings = append(findings, disabledHook(c))
		}
	}
	advice, err := install.Advise(ctx, p.Install)
	for _, a := range advice {
		f := excludedHooks(a)
		if !hooks {
			f.Level = Advice
		}
		findings = append(findings, f)
	}
	return findings, err
}

// unreadableFile reports a git file or directory that cannot be read or is of the wrong type.
func unreadableFile(err error) (Finding, bool) {
	path, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return Finding{}, false
	}
	return Finding{
		Name: "files", Level: Error, Cause: err.Error(),
		Repair: "git cannot use " + path.Path + " either: look at what is there, and move it away or make it readable",
	}, true
}

// HasHooks reports whether hooks were installed.
func (p Repository) HasHooks(ctx context.Context) bool {
	config, err := p.Store.Repo().Config(ctx)
	if err != nil {
		return false
	}
	_, has := config.Get(install.InstalledSetting)
	return has
}

// finding describes one item.
func finding(s install.Status) Finding {
	f := Finding{Name: s.Item, Level: Warning, Cause: s.File, Repair: "`git ralph install` repairs it", Remedy: Reinstall}
	switch {
	case s.Misplaced:
		f.Cause = s.File + " has lines of ours that do nothing there: git looks elsewhere, or a setting turned them off"
	case len(s.Clashes) > 0 && s.State != install.Installed:
		c := s.Clashes[0]
		f.Level, f.Remedy = Error, ""
		f.Cause = fmt.Sprintf("%s is %q in %s", c.Name, c.Value, c.File)
		f.Repair = "`git ralph install --force` writes ours after it"
	case s.Incomplete:
		f.Cause = s.File + " has a comment that begins or ends our block, without the rest"
	case s.State == install.Missing:
		f.Cause = "not configured in " + s.File
	case s.NotRun != "":
		f.Cause, f.Repair, f.Remedy = s.File+" "+s.NotRun, s.Repair, ""
	case s.MissingProgram != "":
		f.Cause = fmt.Sprintf("%s names %s, which does not exist", s.File, s.MissingProgram)
	case s.State == install.Outdated:
		f.Cause = s.File + " has it in another form: of another version, or for another plan or program"
	default:
		f.Level, f.Repair, f.Remedy = Fine, "", ""
	}
	return f
}

// disabledHook reports a hook that a git setting disables.
func disabledHook(c install.Clash) Finding {
	return Finding{
		Name: "hooks", Level: Warning, Cause: fmt.Sprintf("%s is %s in %s, so git does not run ours", c.Name, c.Value, c.File),
		Repair: fmt.Sprintf("`git config --unset %s`, there, turns it on again", c.Name),
	}
}

// excludedHooks reports hooks that are not installed because another tool owns the files.
func excludedHooks(a install.Advice) Finding {
	f := Finding{Name: "hooks", Level: Warning, Cause: a.Why + ", so these do not run: " + strings.Join(a.Hooks, ", ")}
	switch a.Into {
	case "":
		f.Repair = "`git ralph install` shows what to write there"
	case install.Husky:
		f.Repair = "`git ralph install --into husky` writes them into .husky"
	default:
		f.Repair = fmt.Sprintf("`git ralph install --into %s` prints what to write into its file", a.Into)
	}
	return f
}
