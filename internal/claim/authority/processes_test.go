//go:build unix

package authority_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git"
	"git-ralph/internal/proc"
	"git-ralph/internal/test/gittest"
)

// TestMain lets the test binary play another worker.
func TestMain(m *testing.M) {
	switch os.Getenv("CLAIM_TEST_CHILD") {
	case "worker":
		beWorker(false)
	case "worker with agent":
		beWorker(true)
	case "crowd":
		beCrowdWorker()
	case "observer":
		beObserver()
	default:
		os.Exit(m.Run())
	}
}

// childClaims opens the repository that the test binary was started in.
func childClaims() *authority.Claims {
	repo, err := git.Open(context.Background(), ".", os.Environ())
	if err == nil {
		var c *authority.Claims
		if c, err = authority.Open(context.Background(), repo); err == nil {
			return c
		}
	}
	fmt.Println(err)
	os.Exit(1)
	return nil
}

// beWorker takes t-1, says so, and waits to be killed; with an agent that has inherited the lock, and that says its process id.
func beWorker(agent bool) {
	got, err := childClaims().Take(context.Background(), pending("t-1"), authority.Holder{Worker: "w", Lease: time.Hour, Lock: true}, authority.TakeOptions{}, "t-1")
	if err != nil || got[0].Refusal != "" {
		fmt.Println("no claim:", got, err)
		os.Exit(1)
	}
	if !agent {
		fmt.Println("0")
		time.Sleep(time.Hour) // Go ends a process that waits for nothing
	}
	proc.Run(context.Background(), proc.Cmd{ //nolint:errcheck // it ends with this process, or after it
		Name: "sh", Args: []string{"-c", "echo $$; exec sleep 600 >/dev/null 2>&1"}, Stdout: os.Stdout, Group: true,
		Inherit: []*os.File{got[0].Lock.File()},
	})
}

// beObserver tries to take t-1, and says what came of it.
func beObserver() {
	got, err := childClaims().Take(context.Background(), pending("t-1"), authority.Holder{Worker: "observer"}, authority.TakeOptions{}, "t-1")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Printf("refusal %q\n", got[0].Refusal)
}

// startWorker starts a worker in a repository, and returns it once it has its claim, with the process id of its agent.
func startWorker(t *testing.T, p place, role string) (worker *exec.Cmd, agent int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	worker = exec.Command(exe)
	worker.Dir, worker.Env = p.repos[0].Dir, append(p.repos[0].Env, "CLAIM_TEST_CHILD="+role)
	out, err := worker.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { worker.Process.Kill(); worker.Wait() }) //nolint:errcheck // it is to end
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err, line)
	}
	if _, err := fmt.Sscan(line, &agent); err != nil {
		t.Fatal(line)
	}
	return worker, agent
}

// A worker that is killed loses its claim at once, one that is stopped does not, and neither does one whose agent goes on.
func TestKilledWorker(t *testing.T) {
	for _, make := range []func(testing.TB, ...string) place{localPlace, remotePlace} {
		p := make(t)
		worker, _ := startWorker(t, p, "worker")
		c := claims(t, p.repos[1])
		worker.Process.Signal(syscall.SIGSTOP) //nolint:errcheck // the claim shows it
		if got := take(t, c, authority.Holder{Worker: "second"}, authority.TakeOptions{}, "t-1"); got.Refusal != claim.HeldBy {
			t.Errorf("%s: taken from a worker that is stopped: %+v", p.name, got)
		}
		worker.Process.Kill() //nolint:errcheck // see above
		worker.Wait()         //nolint:errcheck // it was killed
		if got := take(t, c, authority.Holder{Worker: "second"}, authority.TakeOptions{}, "t-1"); got.Refusal != "" || got.Held.Claim.Steals != 1 {
			t.Errorf("%s: not taken from a worker that was killed: %+v", p.name, got)
		}
	}
}

func TestAgentGoesOn(t *testing.T) {
	p := localPlace(t)
	worker, agent := startWorker(t, p, "worker with agent")
	t.Cleanup(func() { syscall.Kill(agent, syscall.SIGKILL) }) //nolint:errcheck // it may have ended
	worker.Process.Kill()                                      //nolint:errcheck // the claim shows it
	worker.Wait()                                              //nolint:errcheck // it was killed
	c := claims(t, p.repos[1])
	if got := take(t, c, authority.Holder{Worker: "second"}, authority.TakeOptions{}, "t-1"); got.Refusal != claim.HeldBy {
		t.Fatalf("taken while the agent goes on: %+v", got)
	}
	syscall.Kill(agent, syscall.SIGKILL) //nolint:errcheck // the claim shows it
	gittest.Await(t, "the claim of the agent that ended", func() bool {
		return take(t, c, authority.Holder{Worker: "second"}, authority.TakeOptions{}, "t-1").Refusal == ""
	})
}

// An observer in another pid namespace sees the same boot and, with the same directory of locks, the same lock; with another
// one, nothing that proves anything.
func TestOtherNamespace(t *testing.T) {
	p := localPlace(t)
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		t.Skip("needs unshare")
	}
	if exec.Command(unshare, "--user", "--map-root-user", "--pid", "--fork", "true").Run() != nil {
		t.Skip("this machine allows no namespaces")
	}
	worker, _ := startWorker(t, p, "worker")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	observe := func(cache string) string {
		observer := exec.Command(unshare, "--user", "--map-root-user", "--pid", "--fork", exe)
		observer.Dir, observer.Env = p.repos[0].Dir, append(p.repos[0].Env, "CLAIM_TEST_CHILD=observer", "XDG_CACHE_HOME="+cache)
		out, err := observer.CombinedOutput()
		if err != nil {
			t.Fatalf("%v %s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	same, other := filepath.Join(p.repos[0].Home, ".cache"), t.TempDir()
	for _, cache := range []string{same, other} {
		if got := observe(cache); got != `refusal "held"` {
			t.Errorf("a live worker, locks in %s: %s", cache, got)
		}
	}
	worker.Process.Kill() //nolint:errcheck // the claim shows it
	worker.Wait()         //nolint:errcheck // it was killed
	if got := observe(other); got != `refusal "held"` {
		t.Errorf("a missing lock file proves something: %s", got)
	}
	if got := observe(same); got != `refusal ""` {
		t.Errorf("a free lock proves nothing: %s", got)
	}
}
