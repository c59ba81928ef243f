//go:build web

package webpage_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"git-ralph/internal/test/gittest"
)

// programs is the directory of the programs under test.
var programs string

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "git-ralph-web-")
	if err == nil {
		defer os.RemoveAll(dir)
		programs = dir
		err = build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

func build(dir string) error {
	for program, name := range map[string]string{
		"git-ralph": "git-ralph", "git-ralph-ui": "git-ralph-ui", "git-ralph-workplan-parser": "git-ralph-workplan-parser", "../merge-driver": "git-ralph-merge-driver",
	} {
		out, err := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", "urfave_cli_no_docs", "-o", filepath.Join(dir, name), "../../../cmd/"+program).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	return nil
}

// newRepo makes a repository whose git has the programs under test.
func newRepo(t testing.TB) *gittest.Repo {
	return gittest.NewRepo(t).Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// A server is a running git ralph web.
type server struct {
	cmd *exec.Cmd
	url string

	reported bool // the test wants reports about the policy

	mu   sync.Mutex
	errs bytes.Buffer
}

func (s *server) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.errs.Write(p)
}

// messages returns what the server wrote to standard error.
func (s *server) messages() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.errs.String()
}

// serve starts git ralph web, until the test ends. What it has to say then fails the test: the page does nothing that its policy forbids.
func serve(t testing.TB, r *gittest.Repo, flags ...string) *server {
	t.Helper()
	s := &server{cmd: exec.Command(filepath.Join(programs, "git-ralph-ui"), append([]string{"web"}, flags...)...)}
	s.cmd.Dir, s.cmd.Env, s.cmd.Stderr = r.Dir, r.Env, s
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.cmd.Process.Signal(os.Interrupt) //nolint:errcheck // it may have ended
		s.cmd.Wait()                       //nolint:errcheck // likewise
		if !s.reported && strings.Contains(s.messages(), "policy") || strings.Contains(s.messages(), "bug") {
			t.Errorf("the server: %s", s.messages())
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	var said struct{ URL string }
	if err != nil || json.Unmarshal([]byte(line), &said) != nil {
		t.Fatalf("%q: %v\n%s", line, err, s.messages())
	}
	s.url = said.URL
	return s
}

// browserPath finds Chromium: RALPH_CHROMIUM, or what distributions install.
func browserPath(t testing.TB) string {
	for _, name := range []string{os.Getenv("RALPH_CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("there is no Chromium: install Debian's package chromium, or name another one with RALPH_CHROMIUM")
	return ""
}

// A tab is a tab of a browser, with what went wrong in it.
type tab struct {
	testing.TB
	ctx context.Context

	mu       sync.Mutex
	origin   string // of the server; requests to others are failures
	failures []string
}

// newBrowser starts a browser with a profile of its own, and opens a tab.
func newBrowser(t testing.TB, flags ...chromedp.ExecAllocatorOption) *tab {
	t.Helper()
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(browserPath(t)), chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.Headless, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.WindowSize(1280, 800), chromedp.Env("TZ=UTC", "LANG=en_US.UTF-8"),
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(), append(options, flags...)...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return watched(t, ctx)
}

// another opens another tab of the same browser.
func (b *tab) another() *tab {
	ctx, cancel := chromedp.NewContext(b.ctx)
	b.Cleanup(cancel)
	return watched(b.TB, ctx)
}

// watched collects what a page throws, and what it reports to its console as wrong.
func watched(t testing.TB, ctx context.Context) *tab {
	t.Helper()
	b := &tab{TB: t, ctx: ctx}
	// Without that, a page in the background has no events of the focus.
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	b.watch()
	t.Cleanup(func() {
		if text := b.failed(""); text != "" {
			t.Errorf("the page: %s", text)
		}
	})
	return b
}

// reportPolicy has each document report to its console what its policy kept it from, also where the server gets no report.
const reportPolicy = `addEventListener('securitypolicyviolation', (event) => console.error('policy', event.violatedDirective, event.blockedURI, event.sample))`

// watch collects exceptions, errors in the console, dialogs that scripts open, and requests to anybody else than the server.
func (b *tab) watch() {
	b.Helper()
	if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: reportPolicy}); err != nil {
		b.Fatal(err)
	}
	collect(b, runtime.ExceptionThrown, func(e runtime.EventExceptionThrown) string {
		return (&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error()
	})
	collect(b, runtime.ConsoleAPICalled, func(e runtime.EventConsoleAPICalled) (text string) {
		if e.Type == runtime.ConsoleAPICalledTypeError {
			for _, one := range e.Args {
				text += string(one.Value) + " "
			}
		}
		return text
	})
	collect(b, page.JavascriptDialogOpening, func(e page.EventJavascriptDialogOpening) string { return "a dialog: " + e.Message })
	collect(b, network.RequestWillBeSent, func(e network.EventRequestWillBeSent) string {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.origin == "" || strings.HasPrefix(e.Request.URL, b.origin+"/") || strings.HasPrefix(e.Request.URL, "about:") {
			return ""
		}
		return "a request to " + e.Request.URL
	})
}

// collect adds what failure makes of each event to the failures of a tab; "" is none.
func collect[E any](b *tab, kind cdp.Event[E], failure func(E) string) {
	all := chromedp.Events(b.ctx, kind)
	go func() {
		for e, err := range all {
			if err != nil {
				return
			}
			b.failed(failure(e))
		}
	}()
}

// failed adds a failure, and returns all of them.
func (b *tab) failed(text string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if text != "" {
		b.failures = append(b.failures, text)
	}
	return strings.Join(b.failures, "\n")
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// open opens a URL, and waits until the plan is shown.
func (b *tab) open(url string) {
	b.Helper()
	b.mu.Lock()
	b.origin = strings.TrimSuffix(strings.Split(url, "#")[0], "/")
	b.mu.Unlock()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(url))
	b.await(`document.documentElement.dataset.complete === "true"`)
}

// value evaluates JavaScript.
func value[T any](b *tab, script string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%s: %v", script, err)
	}
	return v
}

// script runs JavaScript.
func (b *tab) script(text string) { b.Helper(); value[chromedp.Void](b, text) }

// await waits until an expression is true.
func (b *tab) await(condition string) {
	b.Helper()
	for end := time.Now().Add(time.Minute); !value[bool](b, "Boolean("+condition+")"); {
		if time.Now().After(end) {
			b.Fatalf("never: %s\n%s\n%s", condition, value[string](b, "document.body.innerText.slice(0, 3000)"), b.failed(""))
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// theme has the system be light or dark.
func (b *tab) theme(name string) {
	b.Helper()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
		b.Fatal(err)
	}
}

// size sets the size of the window.
func (b *tab) size(width, height int64) {
	b.Helper()
	b.do(chromedp.EmulateViewport(width, height))
}

// screenshot writes a picture, where somebody asked for pictures.
func (b *tab) screenshot(name string) {
	b.Helper()
	dir := os.Getenv("GIT_RALPH_SCREENS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		b.Fatal(err)
	}
}
