// Package uiprogram names git-ralph-ui, the program of the commands that need heavy packages, and makes sure that it is of the same
// version as git-ralph.
package uiprogram

import (
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/ownprogram"
)

// Name is the program's name, without the ending that Windows gives it.
const Name = "git-ralph-ui"

// variable names the version of the git-ralph that started git-ralph-ui.
const variable = "GIT_RALPH_UI_VERSION"

// Environ returns the environment in which git-ralph of a version starts git-ralph-ui.
func Environ(environ []string, version string) []string {
	_, environ = started(environ)
	return append(environ, variable+"="+version)
}

// Check returns the environment that git-ralph-ui of a version was started in, as it is without us. The two programs call each other's
// packages, so git-ralph must be of the same version.
func Check(environ []string, version string) ([]string, error) {
	by, environ := started(environ)
	if by != "" && by != version {
		return environ, &VersionError{Own: version, By: by}
	}
	return environ, nil
}

// started returns the version in an environment, and the environment without it.
func started(environ []string) (by string, rest []string) {
	rest = slices.DeleteFunc(slices.Clone(environ), func(pair string) bool {
		value, found := strings.CutPrefix(pair, variable+"=")
		if found {
			by = value
		}
		return found
	})
	return by, rest
}

// A VersionError says that git-ralph and git-ralph-ui were not installed together.
type VersionError struct{ Own, By string }

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s is version %q, and git-ralph is version %q", Name, e.Own, e.By)
}

// Hint returns what to do about it.
func (e *VersionError) Hint() string {
	return "install both programs together, and remove the older ones"
}

// A StartError says that git-ralph-ui is there and cannot be started.
type StartError struct {
	Path string
	Err  error
}

func (e *StartError) Error() string { return fmt.Sprintf("cannot start %s: %v", e.Path, e.Err) }

func (e *StartError) Unwrap() error { return e.Err }

// Hint returns what to do about it.
func (e *StartError) Hint() string { return (&ownprogram.MissingError{}).Hint() }
