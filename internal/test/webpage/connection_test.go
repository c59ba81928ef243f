//go:build web

package webpage_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// A cable is between a browser and the server, at the server's own name, and can be cut or hold everything back.
type cable struct {
	listener net.Listener
	to       string

	mu     sync.Mutex
	all    []net.Conn
	broken bool
	held   chan struct{} // closed where nothing is held back
}

// newCable makes a cable to a server, whose port the browser is to find at the cable's.
func newCable(t testing.TB, s *server) *cable {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{listener: listener, to: hostOf(s), held: make(chan struct{})}
	close(c.held)
	t.Cleanup(func() { listener.Close(); c.cut() })
	go func() {
		for {
			one, err := listener.Accept()
			if err != nil {
				return
			}
			go c.carry(one)
		}
	}()
	return c
}

func hostOf(s *server) string {
	return strings.TrimPrefix(strings.Split(s.url, "/#")[0], "http://")
}

// flag has the browser connect to the cable wherever it would to the server, so that names and origins stay as they are.
func (c *cable) flag(s *server) chromedp.ExecAllocatorOption {
	return chromedp.Flag("host-resolver-rules", fmt.Sprintf("MAP %s %s", hostOf(s), c.listener.Addr()))
}

func (c *cable) carry(from net.Conn) {
	to, err := net.Dial("tcp", c.to)
	if err != nil {
		from.Close()
		return
	}
	c.mu.Lock()
	if c.broken {
		from.Close()
		to.Close()
	}
	c.all = append(c.all, from, to)
	c.mu.Unlock()
	go c.copy(from, to)
	c.copy(to, from)
}

func (c *cable) copy(to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		c.mu.Lock()
		held := c.held
		c.mu.Unlock()
		<-held
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			if err != io.EOF {
				from.Close()
			}
			return
		}
	}
}

// cut closes all connections; until repair there are no new ones.
func (c *cable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken = true
	for _, one := range c.all {
		one.Close()
	}
	c.all = nil
}

func (c *cable) repair() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken = false
}

// hold holds everything back until the returned function is called, as a computer that sleeps does.
func (c *cable) hold() (release func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	held := make(chan struct{})
	c.held = held
	return func() { close(held) }
}

// A connection that is cut is made again, and what happened meanwhile is shown then.
func TestReconnect(t *testing.T) {
	r := smallRepo(t)
	s := serve(t, r)
	c := newCable(t, s)
	b := newBrowser(t, c.flag(s))
	b.open(s.url)
	for i := range 3 {
		c.cut()
		b.await(`document.querySelector('#live').classList.contains('lost')`)
		name := fmt.Sprintf("While it was cut %d", i)
		addTask(t, r, name)
		c.repair()
		b.await(column("ready") + fmt.Sprintf(".includes(%q)", name))
		b.await(`document.querySelector('#live').classList.contains('live')`)
		name = fmt.Sprintf("Afterwards %d", i)
		addTask(t, r, name)
		b.await(column("ready") + fmt.Sprintf(".includes(%q)", name))
	}
}

// Without a connection a key says so where the server is needed, and what the page knows already can be chosen.
func TestKeysUnconnected(t *testing.T) {
	s := serve(t, kindsRepo(t), "--write")
	c := newCable(t, s)
	b := newBrowser(t, c.flag(s))
	b.open(s.url)
	b.await(`document.querySelector('#main').dataset.shown === 'board' && document.querySelector('` + card("t-1") + `') !== null`)
	c.cut()
	b.await(`document.querySelector('#live').classList.contains('lost')`)
	b.script(`document.querySelector('` + card("t-1") + `').focus()`)
	b.keys("e")
	b.await(`!document.querySelector('#toast').hidden && document.querySelector('#toast').textContent.startsWith('The server cannot be reached.')`)
	b.keys("p")
	b.await(`document.activeElement.textContent === 'high (as it is now)'`)
}

// A view that is opened for the first time while the connection is cut says so, and is there as soon as the connection is back; one that was
// seen stays.
func TestOpenedWithoutConnection(t *testing.T) {
	s := serve(t, smallRepo(t))
	c := newCable(t, s)
	b := newBrowser(t, c.flag(s))
	b.open(s.url)
	c.cut()
	b.await(`document.querySelector('#live').classList.contains('lost')`)
	for _, view := range []string{"graph", "timeline", "burndown", "runs", "worktrees"} {
		b.script(fmt.Sprintf(`location.hash = '#view=%s'`, view))
		b.await(fmt.Sprintf(`document.querySelector('nav a[aria-current]').dataset.view === %q && document.querySelector('#main').innerText.includes('The connection is lost')`, view))
	}
	b.script(`location.hash = '#view=board'`)
	b.await(`document.querySelector('#main').innerText.includes('Write the parser') && document.querySelector('#banner').innerText.includes('cannot be reached')`)
	b.script(`location.hash = '#view=graph'`)
	b.await(`document.querySelector('#main').innerText.includes('The connection is lost') && document.querySelector('#banner').hidden`)
	c.repair()
	b.await(`document.querySelector('#main').dataset.shown === 'graph' && document.querySelectorAll('.node').length > 4 && document.querySelector('#banner').hidden`)
}

// After the tab was frozen, the computer has slept, or the server did not run for a while, the page shows what is there then, and goes on.
func TestSleep(t *testing.T) {
	r := smallRepo(t)
	s := serve(t, r)
	c := newCable(t, s)
	b := newBrowser(t, c.flag(s))
	b.open(s.url)
	state := func(state page.SetWebLifecycleStateState) {
		if _, err := chromedp.Call(b.ctx, page.SetWebLifecycleState, page.SetWebLifecycleStateParams{State: state}); err != nil {
			t.Fatal(err)
		}
	}
	state(page.SetWebLifecycleStateStateFrozen)
	addTask(t, r, "While the tab was frozen")
	s.awaitBoard(t, "While the tab was frozen")
	state(page.SetWebLifecycleStateStateActive)
	b.await(column("ready") + `.includes('While the tab was frozen')`)

	s.cmd.Process.Signal(syscall.SIGSTOP) //nolint:errcheck // it runs
	until(t, "the server is stopped", func() bool {
		state, err := exec.Command("ps", "-o", "state=", "-p", strconv.Itoa(s.cmd.Process.Pid)).Output()
		return err == nil && strings.HasPrefix(strings.TrimSpace(string(state)), "T")
	})
	addTask(t, r, "While the server was stopped")
	s.cmd.Process.Signal(syscall.SIGCONT) //nolint:errcheck // likewise
	b.await(column("ready") + `.includes('While the server was stopped')`)

	release := c.hold() // the other side seems to be there, and says nothing
	addTask(t, r, "While nothing came through")
	b.await(`document.querySelector('#live').classList.contains('lost')`) // after 40 s
	release()
	b.await(column("ready") + `.includes('While nothing came through')`)
	addTask(t, r, "Afterwards")
	b.await(column("ready") + `.includes('Afterwards')`)
}

// until waits until something is so.
func until(t testing.TB, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("never: " + what)
		}
	}
}

// awaitBoard waits until the server shows a text on its board: then its streams know of it.
func (s *server) awaitBoard(t testing.TB, text string) {
	t.Helper()
	origin, token, _ := strings.Cut(s.url, "/#token=")
	until(t, "the board has "+text, func() bool {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, origin+"/data/board", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			return false
		}
		defer reply.Body.Close()
		body, err := io.ReadAll(reply.Body)
		return err == nil && strings.Contains(string(body), text)
	})
}

// After the server was started again, the page of the earlier start says that it needs another address, and shows nothing new.
func TestAnotherStart(t *testing.T) {
	r := smallRepo(t)
	s := serve(t, r)
	b := newBrowser(t)
	b.open(s.url)
	s.cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it runs
	s.cmd.Wait()                          //nolint:errcheck // it was ended
	b.await(`document.querySelector('#live').classList.contains('lost')`)
	_, port, _ := net.SplitHostPort(hostOf(s))
	again := serve(t, r, "--port", port)
	b.shows("This page needs the address that git ralph web printed")
	b.open(again.url)
	b.await(column("ready") + `.length > 0`)
}
