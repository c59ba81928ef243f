package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/git/config"
	"git-ralph/internal/mask"
	"git-ralph/internal/proc"
	"git-ralph/internal/trust"
	"git-ralph/internal/worktree"
)

// A Runner runs checks in one clone.
type Runner struct {
	Repo    *git.Repo
	Rule    Rule
	Environ []string // of the commands
	Limit   time.Duration
	Now     func() time.Time
	Masker  *mask.Masker // of the outputs; nil for one of its own
	Began   func(Check)  // called before one is run; may be nil

	VerifiedOnly bool // what no check proved is not accepted, unless it has none
}

// Settings of checks.
const (
	limitKey     = "ralph.checks.timeLimit"
	defaultLimit = 15 * time.Minute
	targetKey    = "ralph.target"
)

// ErrSetting says that a setting has an invalid value.
var ErrSetting = errors.New("invalid setting")

// AcceptKey is the setting that says what task accept accepts: "any" done task, the default, or what is "verified".
const AcceptKey = "ralph.accept"

// AcceptsVerifiedOnly reports whether the configuration wants that only what is verified is accepted. The error is ErrSetting.
func AcceptsVerifiedOnly(settings *config.Config) (bool, error) {
	switch value, _ := settings.Get(AcceptKey); value {
	case "", "any":
		return false, nil
	case "verified":
		return true, nil
	default:
		return false, fmt.Errorf("%w %s %q: want any or verified", ErrSetting, AcceptKey, value)
	}
}

// By returns the address that receipts have.
func (r *Runner) By(ctx context.Context) string { return commit.AuthorAddress(ctx, r.Repo) }

// NewRunner returns a runner with the rule and the time limit of the configuration.
func NewRunner(ctx context.Context, repo *git.Repo, environ []string, now func() time.Time) (*Runner, error) {
	settings, err := repo.Config(ctx)
	if err != nil {
		return nil, err
	}
	r := &Runner{Repo: repo, Environ: environ, Limit: defaultLimit, Now: now}
	if value, set := settings.Get(limitKey); set {
		if r.Limit, err = config.ParseDuration(value); err != nil || r.Limit <= 0 {
			return nil, fmt.Errorf("%w %s %q: want seconds, or a duration such as 15m", ErrSetting, limitKey, value)
		}
	}
	if r.VerifiedOnly, err = AcceptsVerifiedOnly(settings); err != nil {
		return nil, err
	}
	own, err := repo.ConfigFiles().Path(ctx, config.ScopeLocal)
	if err != nil {
		return nil, err
	}
	accepted, err := trust.Load(own)
	if err != nil {
		return nil, err
	}
	r.Rule, err = NewRule(settings.GetAll(AllowKey), accepted)
	return r, err
}

// A Commit is what checks are run on.
type Commit struct{ ID, Tree string }

// Commit returns the commit to be judged: the one that rev names; without one the tip of ralph.target, else HEAD. The error is
// git.ErrBadRevision.
func (r *Runner) Commit(ctx context.Context, rev string) (Commit, error) {
	settings, err := r.Repo.Config(ctx)
	if err != nil {
		return Commit{}, err
	}
	if target, _ := settings.Get(targetKey); rev == "" && target != "" {
		rev = "refs/heads/" + strings.TrimPrefix(target, "refs/heads/")
	}
	return commitOf(ctx, r.Repo, cmp.Or(rev, "HEAD"))
}

func commitOf(ctx context.Context, repo *git.Repo, rev string) (Commit, error) {
	reader := git.WithoutReplacements(repo).Reader(ctx)
	defer reader.Close()
	object, err := reader.Commit(rev)
	if err != nil {
		return Commit{}, err
	}
	return Commit{object.ID, git.RootOf(object.Data)}, nil
}

// Judge returns what would become of checks, and runs nothing.
func (r *Runner) Judge(checks []Check) []Result {
	results := make([]Result, len(checks))
	for i, check := range checks {
		results[i] = Result{Check: check, State: Allowed, Exit: -1}
		words, err := Words(check.Line)
		if err == nil && !r.Rule.Allows(words) {
			err = ErrNotAllowed
		}
		if err != nil {
			results[i].State, results[i].Why = NotAllowed, err.Error()
		}
	}
	return results
}

// Run runs the checks that are allowed on a commit, in a worktree that is as new for each. A command that several tasks have is
// run once. When the context ends, so does everything that was started, and the worktree is deleted.
func (r *Runner) Run(ctx context.Context, at Commit, checks []Check) (results []Result, err error) {
	s := &session{Runner: r}
	defer func() { err = errors.Join(err, s.close()) }()
	return s.run(ctx, at, checks)
}

// A session runs checks in one worktree, which the first one makes.
type session struct {
	*Runner
	place  *worktree.Clean
	masker *mask.Masker // nil before the first output
}

func (s *session) close() error {
	if s.place == nil {
		return nil
	}
	return s.place.Close()
}

// run runs checks on one commit.
func (s *session) run(ctx context.Context, at Commit, checks []Check) (results []Result, err error) {
	results = s.Judge(checks)
	ran := map[string]int{} // by words
	for i := range results {
		if results[i].State != Allowed {
			continue
		}
		words, err := Words(results[i].Line)
		if err != nil {
			return nil, err
		}
		if first, again := ran[fmt.Sprintf("%q", words)]; again {
			results[i] = results[first].of(results[i].Check)
			continue
		}
		ran[fmt.Sprintf("%q", words)] = i
		if s.place == nil {
			if s.place, err = worktree.Open(ctx, s.Repo); err != nil {
				return nil, err
			}
		}
		if err := s.one(ctx, at, words, &results[i]); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// of returns the result for a check of another task with the same words.
func (r Result) of(check Check) Result {
	r.Check = check
	return r
}

// one runs one command. The error is not the command's own.
func (s *session) one(ctx context.Context, at Commit, words []string, result *Result) error {
	if s.Began != nil {
		s.Began(result.Check)
	}
	if err := s.place.Checkout(ctx, at.ID); err != nil {
		return err
	}
	result.Commit, result.Tree, result.At = at.ID, at.Tree, s.Now()
	did, err := s.place.Run(ctx, words, s.Environ, s.Limit)
	if _, failed := errors.AsType[*proc.Error](err); failed && ctx.Err() == nil {
		result.State, result.Why = NotStarted, err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	result.take(did)
	if s.masker = cmp.Or(s.masker, s.Masker); s.masker == nil { // it takes long to make, and most runs have no checks
		s.masker = mask.NewFull()
	}
	result.Output = s.masker.Text(did.Text())
	result.Log = saveLog(s.logs(), did.SHA256, result.Output)
	return nil
}

// logs is the directory of outputs, beside the journals of runs.
func (r *Runner) logs() string { return filepath.Join(r.Repo.GitDir(), "ralph", "evidence") }
