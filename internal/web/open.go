package web

import (
	"errors"
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/proc"
)

// openerTime is how long the program that opens the browser has to fail. It may go on as long as the browser does.
const openerTime = 5 * time.Second

// openMark is in the environment of the browser that was opened.
const openMark = "GIT_RALPH_WEB=1"

// openPage opens the page in the user's browser. Other users of this machine see the arguments of programs, so these name a file that
// only this user can read, and the file leads to the page. Close removes it.
func openPage(env *term.Env, gitDir, page string) (closePage func()) {
	file, err := writeLead(gitDir, page)
	if err == nil {
		err = startOpener(env, gitDir, fileURL(file))
	}
	if err != nil {
		warn(env, err)
	}
	return func() { os.Remove(file) } //nolint:errcheck // it leads nowhere any more
}

func warn(env *term.Env, err error) {
	env.Warn(fmt.Sprintf("cannot open the browser: %v", err))
	env.Hint("open the URL above in a browser")
}

// writeLead writes a file that leads to the page.
func writeLead(gitDir, page string) (name string, err error) {
	file, err := os.CreateTemp(gitDir, "ralph-web-*.html") // which only the user can read
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(file, `<!doctype html><meta charset="utf-8"><title>git ralph</title><meta http-equiv="refresh" content="0; url=%s">`+"\n", html.EscapeString(page))
	return file.Name(), errors.Join(err, file.Close())
}

// startOpener has a program open a URL.
func startOpener(env *term.Env, dir, url string) error {
	opener, err := openerOf(runtime.GOOS, func(name string) bool {
		_, err := proc.LookPath(name, env.Environ)
		return err == nil
	})
	if err != nil {
		return err
	}
	child, err := proc.StartChild(proc.Cmd{Name: opener[0], Args: append(opener[1:], url), Dir: dir, Env: env.Environ}, openMark)
	if err != nil {
		return err
	}
	go func() {
		select {
		case <-child.Exited():
			if child.Code() != 0 {
				warn(env, fmt.Errorf("%s ended with %d", opener[0], child.Code()))
			}
		case <-time.After(openerTime):
		}
	}()
	return nil
}

// fileURL returns the URL of a file.
func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if path[0] != '/' { // a drive
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// openerOf returns the program of a system that opens URLs, with its first arguments.
func openerOf(system string, exists func(name string) bool) ([]string, error) {
	candidates := [][]string{{"xdg-open"}, {"wslview"}, {"x-www-browser"}, {"sensible-browser"}}
	switch system {
	case "darwin":
		candidates = [][]string{{"open"}}
	case "windows":
		candidates = [][]string{{"rundll32.exe", "url.dll,FileProtocolHandler"}}
	}
	for _, c := range candidates {
		if exists(c[0]) {
			return c, nil
		}
	}
	return nil, errors.New("there is no " + candidates[0][0])
}
