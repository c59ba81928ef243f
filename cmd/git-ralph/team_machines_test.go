//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// machine is a computer with a clone: it has its own user directory, and with RALPH_TEAM its own host name.
type machine struct {
	*workshop
	name, mark, roster string
	isolated           bool
	run                *build
}

// TestTwoTeams guards: teams of two clones that share claims through one remote take one plan to COMPLETE. No task is done twice, or
// accepted twice although both verify. With RALPH_TEAM they have the troubles of TestTeamOfKills, and workers or everything on one
// machine, or on both, are killed along the way.
func TestTwoTeams(t *testing.T) {
	t.Parallel()
	tasks, kills, builders := teamSize(t, 4, 0, 1)
	scenario := `always BUILD
  write {id}.txt {id}
  report {"verdict": "done", "files": ["{id}.txt"]}
`
	if kills > 0 {
		scenario = `BUILD t-n1
  report {"verdict": "blocked", "reason": "no key"}
VERIFY t-n2
  pass t-n2 the first time is never right
always BUILD
  run git merge -q --no-edit -X ours origin/main >/dev/null 2>&1 || git merge --abort
  write {id}.txt {id}
  run case {id} in *[05]) echo {id} >shared.txt;; esac
  report {"verdict": "done", "files": ["{id}.txt", "shared.txt"]}
`
	}
	w := newWorkshop(t, scenario+`always INVESTIGATE
  run git ralph issue done
always VERIFY
  pass
`)
	w.WriteFile("ralph/plan.jsonl", teamPlan(tasks))
	w.Git("commit", "-q", "-a", "-m", "plan")
	w.Git("clone", "-q", "--bare", w.Dir, "../hub")
	var machines []*machine
	for _, name := range []string{"one", "two"} {
		m := w.machine(name, kills > 0)
		m.roster = fmt.Sprintf("builder=%d,analyst=1,integrator=1", builders)
		m.start()
		machines = append(machines, m)
	}
	killMachines(t, machines, kills)
	for _, m := range machines {
		if code := m.run.code(); code != exitDone && code != exitNothing {
			t.Errorf("team %s: exit code %d\n%s", m.name, code, &m.run.out)
		}
	}
	for _, m := range machines {
		m.Git("pull", "-q")
		m.checkTeam(tasks, m.mark)
	}
	if claims := w.At("../hub").Git("for-each-ref", "refs/ralph/"); claims != "" {
		t.Errorf("claims are left: %s", claims)
	}
	if t.Failed() && kills > 0 {
		t.Fatalf("one:\n%s\ntwo:\n%s\n%s", &machines[0].run.out, &machines[1].run.out, machines[0].ralph("log", "--all", "--format", "text"))
	}
}

// machine makes a clone of the hub for a user of its own.
func (w *workshop) machine(name string, isolated bool) *machine {
	w.Git("clone", "-q", "../hub", "../"+name)
	mark := "RALPH_TEST_MACHINE=" + filepath.Join(w.out, name)
	repo := w.At("../"+name).Setenv("HOME", filepath.Join(w.out, "home-"+name))
	repo.Env = append(repo.Env, mark)
	m := &machine{workshop: &workshop{Repo: repo, t: w.t, out: w.out}, name: name, mark: mark, isolated: isolated}
	m.Git("config", "ralph.claims.remote", "origin")
	m.Git("config", "ralph.agent", w.Git("config", "ralph.agent"))
	m.ralph("trust", "--yes")
	if isolated {
		// The remote is another computer: what runs there is not killed together with a machine.
		for _, service := range []string{"receive", "upload"} {
			m.Git("config", "remote.origin."+service+"pack", "setsid -w env -u RALPH_TEST_MACHINE git-"+service+"-pack")
		}
	}
	return m
}

// start starts the machine's team.
func (m *machine) start() {
	if !m.isolated {
		m.run = m.team(m.roster)
		return
	}
	b := &build{Cmd: m.command("ralph", "team", "run", "--roster", m.roster)}
	b.Path, b.Args = "/bin/sh", append([]string{"sh", "-c", `hostname "$0" && exec git "$@"`, m.name}, b.Args[1:]...)
	b.SysProcAttr.Cloneflags = syscall.CLONE_NEWUTS
	b.Stdout, b.Stderr = &b.out, &b.out
	if err := b.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.run = b
}

// killMachines kills so many times a worker, everything on one machine, or everything on all, and starts the teams again.
func killMachines(t *testing.T, machines []*machine, kills int) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range kills {
		time.Sleep(time.Duration(200+random.IntN(3000)) * time.Millisecond)
		one := machines[random.IntN(len(machines))]
		switch random.IntN(4) {
		case 0:
			killMarked(one.mark, "work\x00--wait", 1, random)
		case 1:
			one.kill(random)
			one.start()
		default:
			for _, m := range machines {
				m.kill(random)
			}
			for _, m := range machines {
				m.start()
			}
		}
	}
}

// kill kills everything that runs on the machine.
func (m *machine) kill(random *rand.Rand) {
	killMarked(m.mark, "", -1, random)
	m.run.code()
}
