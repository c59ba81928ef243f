package loop

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/agent"
	"git-ralph/internal/git/config"
	"git-ralph/internal/proc"
	"git-ralph/internal/schedule"
)

// ErrSetting says that a setting has an invalid value.
var ErrSetting = errors.New("invalid setting")

// Settings are the settings of loops in git's configuration.
type Settings struct {
	TimeLimit map[schedule.Stage]time.Duration // ralph.timeLimit, ralph.STAGE.timeLimit
	Idle      time.Duration                    // ralph.idleTimeout
	Final     time.Duration                    // ralph.finalTimeout: from an agent's last event to its end
	Grace     time.Duration                    // ralph.grace: from TERM to KILL
	Backoff   time.Duration                    // ralph.backoff: the first wait for a rate limit that does not say how long
	MaxWait   time.Duration                    // ralph.maxWait: all waits in a row
	KeepRuns  int                              // ralph.logs.keep
	Notify    []string                         // ralph.notify: the command that runs at the end of a run; none where it is empty
	Git       time.Duration                    // ralph.gitTimeout: of one git command and its hooks
}

// The defaults.
const (
	defaultTimeLimit = 900 * time.Second
	defaultIdle      = 600 * time.Second
	defaultFinal     = 10 * time.Second
	defaultGrace     = 5 * time.Second
	defaultBackoff   = 30 * time.Second
	defaultMaxWait   = 6 * time.Hour
	defaultKeep      = 20
	defaultGit       = 10 * time.Minute
)

// ReadSettings reads the configuration. The error is ErrSetting.
func ReadSettings(config agent.Settings) (Settings, error) {
	r := settingsReader{config: config}
	all := r.duration("ralph.timeLimit", defaultTimeLimit)
	s := Settings{
		TimeLimit: map[schedule.Stage]time.Duration{},
		Idle:      r.duration("ralph.idleTimeout", defaultIdle),
		Final:     r.duration("ralph.finalTimeout", defaultFinal),
		Grace:     r.duration("ralph.grace", defaultGrace),
		Backoff:   r.duration("ralph.backoff", defaultBackoff),
		MaxWait:   r.duration("ralph.maxWait", defaultMaxWait),
		KeepRuns:  r.number("ralph.logs.keep", defaultKeep),
		Notify:    r.command("ralph.notify"),
		Git:       r.duration("ralph.gitTimeout", defaultGit),
	}
	for _, stage := range [...]schedule.Stage{schedule.Plan, schedule.Decompose, schedule.Build, schedule.Verify, schedule.Investigate} {
		s.TimeLimit[stage] = r.duration("ralph."+strings.ToLower(string(stage))+".timeLimit", all)
	}
	return s, r.err
}

// agentLimits returns the limits of the agent of a stage.
func (s Settings) agentLimits(stage schedule.Stage) agent.Limits {
	return agent.Limits{Time: s.TimeLimit[stage], Idle: s.Idle, Final: s.Final, Grace: s.Grace}
}

// A settingsReader keeps the first error.
type settingsReader struct {
	config agent.Settings
	err    error
}

// duration reads seconds, or a duration such as "15m".
func (r *settingsReader) duration(key string, otherwise time.Duration) time.Duration {
	value, found := r.config.Get(key)
	if !found {
		return otherwise
	}
	d, err := config.ParseDuration(value)
	if err != nil {
		r.fail(key, value, "seconds or a duration such as 15m")
	}
	return d
}

func (r *settingsReader) number(key string, otherwise int) int {
	value, found := r.config.Get(key)
	if !found {
		return otherwise
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		r.fail(key, value, "a number")
	}
	return n
}

// command reads a command line.
func (r *settingsReader) command(key string) []string {
	value, _ := r.config.Get(key)
	words, err := proc.SplitWords(value)
	if err != nil {
		r.fail(key, value, "a command line")
	}
	return words
}

func (r *settingsReader) fail(key, value, expected string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w %s %q: want %s", ErrSetting, key, value, expected)
	}
}
