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

// installed looks at every item of the installation, and at hooks that are left to others.
func (p Patient) installed(ctx context.Context) ([]Finding, error) {
	hooks := p.HasHooks(ctx)
	request := p.Install
	request.Hooks = hooks // what was installed without hooks is whole
	standings, err := install.Inspect(ctx, request)
	if err != nil {
		return nil, err
	}
	isThere := func(s install.Standing) bool { return s.State != install.Missing }
	anything := slices.ContainsFunc(standings, isThere)
	var findings []Finding
	for _, s := range standings {
		f := finding(s)
		if f.Level == Warning && s.State == install.Missing && !s.Torn && !anything {
			f.Level = Advice
		}
		findings = append(findings, f)
	}
	if !hooks {
		findings = append(findings, Finding{
			Name: "hooks", Level: Advice, Cause: "no hooks are installed, so nothing checks plans that are committed by hand",
			Mend: "`git ralph install` puts them in place",
		})
	}
	if hooks {
		silenced, err := install.Silenced(ctx, p.Install)
		if err != nil {
			return nil, err
		}
		for _, c := range silenced {
			findings = append(findings, turnedOff(c))
		}
	}
	advice, err := install.Advise(ctx, p.Install)
	for _, a := range advice {
		f := leftOut(a)
		if !hooks {
			f.Level = Advice
		}
		findings = append(findings, f)
	}
	return findings, err
}

// unreadable tells of a file or folder of git's that cannot be read, or is something else than that.
func unreadable(err error) (Finding, bool) {
	path, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return Finding{}, false
	}
	return Finding{
		Name: "files", Level: Error, Cause: err.Error(),
		Mend: "git cannot use " + path.Path + " either: look at what is there, and move it away or make it readable",
	}, true
}

// HasHooks tells whether hooks were installed.
func (p Patient) HasHooks(ctx context.Context) bool {
	config, err := p.Store.Repo().Config(ctx)
	if err != nil {
		return false
	}
	_, has := config.Get(install.InstalledSetting)
	return has
}

// finding tells of one item.
func finding(s install.Standing) Finding {
	f := Finding{Name: s.Item, Level: Warning, Cause: s.File, Mend: "`git ralph install` puts it right", Remedy: Reinstall}
	switch {
	case s.Stray:
		f.Cause = s.File + " has lines of ours that do nothing there: git looks elsewhere, or a setting turned them off"
	case len(s.Clashes) > 0 && s.State != install.Installed:
		c := s.Clashes[0]
		f.Level, f.Remedy = Error, ""
		f.Cause = fmt.Sprintf("%s is %q in %s", c.Name, c.Value, c.File)
		f.Mend = "`git ralph install --force` writes ours behind it"
	case s.Torn:
		f.Cause = s.File + " has a comment that begins or ends our block, and no block"
	case s.State == install.Missing:
		f.Cause = "not configured in " + s.File
	case s.Idle != "":
		f.Cause, f.Mend, f.Remedy = s.File+" "+s.Idle, s.Wake, ""
	case s.Lost != "":
		f.Cause = fmt.Sprintf("%s names %s, which is gone", s.File, s.Lost)
	case s.State == install.Outdated:
		f.Cause = s.File + " has it in another form: of another version, or for another plan or program"
	default:
		f.Level, f.Mend, f.Remedy = Fine, "", ""
	}
	return f
}

// turnedOff tells of a hook that a setting of git's keeps from running.
func turnedOff(c install.Clash) Finding {
	return Finding{
		Name: "hooks", Level: Warning, Cause: fmt.Sprintf("%s is %s in %s, so git does not run ours", c.Name, c.Value, c.File),
		Mend: fmt.Sprintf("`git config --unset %s`, there, turns it on again", c.Name),
	}
}

// leftOut tells of hooks that another tool keeps out.
func leftOut(a install.Advice) Finding {
	f := Finding{Name: "hooks", Level: Warning, Cause: a.Why + ", so these do not run: " + strings.Join(a.Hooks, ", ")}
	switch a.Into {
	case "":
		f.Mend = "`git ralph install` shows what to write there"
	case install.Husky:
		f.Mend = "`git ralph install --into husky` writes them into .husky"
	default:
		f.Mend = fmt.Sprintf("`git ralph install --into %s` prints what to write into its file", a.Into)
	}
	return f
}
