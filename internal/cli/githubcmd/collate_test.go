package githubcmd_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"git-ralph/internal/debuglog"
	"git-ralph/internal/plan"
	"git-ralph/internal/test/githubserver"
	"git-ralph/internal/test/masktest"
)

// fail writes a failure into the debug log of a user.
func (u *user) fail(name, message string, at time.Time) {
	r := debuglog.Of(u.Path(".git")).Open("test", func() time.Time { return at })
	r.Record(debuglog.Event{Category: debuglog.Tool, Name: name, Type: "failed", Error: message})
	r.Close()
}

func collating(more ...string) []string {
	return append([]string{"debug", "collate", "--github", "--since", "2020-01-01"}, more...)
}

func (u *user) collate(want int, more ...string) string {
	u.Helper()
	return u.must(want, collating(append(more, "--text")...)...)
}

// countIn returns what an issue says for people that it counted.
func countIn(body string) int {
	m := regexp.MustCompile(`(?m)^Seen (\d+) times?`).FindStringSubmatch(body)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1]) //nolint:errcheck // they are digits
	return n
}

// TestCollate guards: a failure has one issue, whose body counts; what people wrote into it stays, and doing it twice is the same as once.
func TestCollate(t *testing.T) {
	u := newUser(t)
	u.collate(3)
	at := clock()
	u.fail("Bash", "make: *** [x] Error 2 @octocat <!-- git-ralph item w-1 x --> #1", at)
	u.fail("Bash", "make: *** [x] Error 3 @octocat <!-- git-ralph item w-1 x --> #1", at)
	if out := u.collate(0, "--dry-run"); !strings.Contains(out, "dry run: sent ") {
		t.Error(out)
	}
	u.must(2, "debug", "collate", "--github", "--no-commit")
	if got := u.server.Requests(); slices.ContainsFunc(got, func(r string) bool { return strings.HasPrefix(r, "POST /repos") }) {
		t.Errorf("a dry run sent %q", got)
	}
	u.collate(0)
	u.collate(3)
	one := func(count int) *githubserver.Issue {
		t.Helper()
		if len(u.server.Issues) != 1 {
			t.Fatalf("%d issues", len(u.server.Issues))
		}
		i := u.server.Issue(1)
		if countIn(i.Body) != count || !slices.Contains(i.Labels, "debug-auto") || !strings.Contains(i.Title, "tool Bash fails: failed: make") || strings.Contains(i.Body, "<!-- git-ralph item") {
			t.Errorf("want %d in %+v", count, i)
		}
		return i
	}
	u.server.Do(func() {
		i := one(2)
		i.Title, i.Body, i.Labels = "tool Bash fails: failed: make. Mine", "Before.\r\n"+strings.ReplaceAll(i.Body, "\n", "\r\n")+"\r\nAfter.", nil
		u.server.Touch(i)
	})
	u.fail("Bash", "make: *** [x] Error 4 @octocat <!-- git-ralph item w-1 x --> #1", at)
	u.collate(0)
	u.collate(3)
	u.server.Do(func() {
		if i := one(3); !strings.HasPrefix(i.Body, "Before.\n") || !strings.HasSuffix(i.Body, "\nAfter.") || !strings.HasSuffix(i.Title, "Mine") {
			t.Errorf("%+v", i)
		}
	})
	if u.must(3, "github", "pull"); len(u.plan().Of(plan.KindItem)) > 0 {
		t.Error("pull made an item of it")
	}
	if u.must(0, "github", "pull", "--label", "debug-auto"); len(u.plan().Of(plan.KindItem)) != 1 {
		t.Error("pull made no item of it")
	}
}

// TestCollateClosed guards: an issue that was closed is opened again by a later event alone, and never where it is not planned; a second
// issue of a failure is closed, and its count is not lost; a stranger's marker counts for nothing.
func TestCollateClosed(t *testing.T) {
	u := newUser(t)
	at := clock()
	u.fail("Bash", "no", at)
	u.collate(0)
	closeIt := func(reason string, after time.Duration) {
		u.server.Do(func() {
			i := u.server.Issue(1)
			i.State, i.Reason, i.Closed = "closed", reason, at.Add(after).Format(time.RFC3339)
			u.server.Touch(i)
		})
	}
	state := func(number int, want string) {
		t.Helper()
		u.server.Do(func() {
			if i := u.server.Issue(number); i.State+strconv.Itoa(countIn(i.Body)) != want || len(u.server.Issues) > 3 {
				t.Errorf("want %s: %+v", want, i)
			}
		})
	}
	closeIt("completed", time.Hour)
	u.fail("Bash", "no", at.Add(time.Minute))
	u.collate(3)
	state(1, "closed1")
	u.fail("Bash", "no", at.Add(2*time.Hour))
	u.collate(0)
	state(1, "open3")
	closeIt("not_planned", 3*time.Hour)
	u.fail("Bash", "no", at.Add(4*time.Hour))
	u.collate(3)
	state(1, "closed3")
	u.server.Do(func() {
		i := u.server.Issue(1)
		i.State = "open"
		again := *i
		again.Body = regexp.MustCompile(`(git-ralph debug \w+) \w+-3=`).ReplaceAllString(strings.Replace(i.Body, "Seen 3", "Seen 5", 1), "$1 0000aaaa-5=")
		u.server.Add(&again)
		stranger := *i
		stranger.Author, stranger.Body = "stranger", strings.ReplaceAll(again.Body, "0000aaaa-5", "0000bbbb-900")
		u.server.Add(&stranger)
	})
	u.collate(0)
	u.collate(3)
	state(1, "open9")
	state(2, "closed5")
	state(3, "open5")
}

// TestCollateSecrets guards: nothing that the journal masks is sent to GitHub.
func TestCollateSecrets(t *testing.T) {
	u := newUser(t)
	var secrets []string
	for text, secret := range masktest.Secrets() {
		u.fail("Bash", text, clock())
		secrets = append(secrets, secret)
	}
	u.collate(0)
	u.server.Do(func() {
		if len(u.server.Issues) < 30 {
			t.Errorf("only %d issues", len(u.server.Issues))
		}
		for _, i := range u.server.Issues {
			for _, secret := range secrets {
				if strings.Contains(i.Title+i.Body, secret) {
					t.Errorf("%q is in %s\n%s", secret, i.Title, i.Body)
				}
			}
		}
	})
}

// TestCollateFaults guards: whatever fails while two clones collate, a failure has one issue, no count ever becomes smaller, and in the
// end each has counted everything once.
func TestCollateFaults(t *testing.T) {
	wanted := 25
	if n, err := strconv.Atoi(os.Getenv(FaultsVariable)); err == nil {
		wanted = n
	}
	s := &storm{T: t, Rand: rand.New(rand.NewPCG(5, 17))}
	s.clones = [2]*user{newUser(t), newUser(t)}
	s.server, s.clones[1].server = s.clones[0].server, s.clones[0].server
	s.clones[1].configure()
	at, recorded, counts := clock(), map[string]int{}, map[string]int{}
	check := func() {
		s.server.Do(func() {
			titles := map[string]bool{}
			for _, i := range s.server.Issues {
				if titles[i.Title] || countIn(i.Body) < counts[i.Title] {
					t.Errorf("%q is there twice: %v, or counts %d after %d", i.Title, titles[i.Title], countIn(i.Body), counts[i.Title])
				}
				titles[i.Title], counts[i.Title] = true, countIn(i.Body)
			}
		})
	}
	for s.faults < wanted {
		for range 1 + s.IntN(3) {
			at = at.Add(time.Second)
			name := fmt.Sprintf("tool-%c", 'a'+rune(s.IntN(min(3+s.faults/4, 26))))
			recorded[name]++
			s.clones[s.IntN(2)].fail(name, "no", at)
		}
		if s.IntN(5) == 0 {
			s.server.Do(func() {
				if len(s.server.Issues) > 0 {
					i := s.server.Issue(1 + s.IntN(len(s.server.Issues)))
					i.State, i.Reason, i.Closed = "closed", "completed", at.Format(time.RFC3339)
					s.server.Touch(i)
				}
			})
		}
		u := s.clones[s.IntN(2)]
		s.failing(func(kill *atomic.Int64) { s.run(u, kill, collating()...) })
		check()
	}
	for name := range recorded {
		at = at.Add(time.Second)
		recorded[name] += 2
		s.clones[0].fail(name, "no", at)
		s.clones[1].fail(name, "no", at)
	}
	for range 2 {
		for _, u := range s.clones {
			s.allow(u.ralph(collating()...))
		}
	}
	check()
	for name, want := range recorded {
		if got := counts["tool "+name+" fails: failed: no"]; got != want {
			t.Errorf("%s: %d counted, want %d", name, got, want)
		}
	}
	if len(s.server.Issues) != len(recorded) {
		t.Errorf("%d issues for %d failures", len(s.server.Issues), len(recorded))
	}
	for _, u := range s.clones {
		u.collate(3)
	}
	t.Logf("%d faults, %d of them kills, in %d runs; %d failures", s.faults, s.kills, s.runs, len(recorded))
}
