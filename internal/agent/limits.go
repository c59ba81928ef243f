package agent

import (
	"time"
)

// Limits end an agent that exceeds one. A limit of 0 is off.
type Limits struct {
	Time    time.Duration // for the whole run
	Idle    time.Duration // without any output
	Warn    int           // tokens in its context at which Run.Warn is called
	Context int           // tokens in its context
	Final   time.Duration // from its last event to the end of its process
	Grace   time.Duration // from TERM to KILL
}

// check passes the progress to Run.Watch, and returns the limit that is exceeded, if any.
func (s *session) check(now time.Time) (End, bool) {
	s.mu.Lock()
	progress := s.transcript.Progress
	if s.run.Profile.Format == Plain { // its text is the only sign of progress
		progress.Tool = lastLine(s.transcript.text)
	}
	s.mu.Unlock()
	if s.run.Watch != nil {
		s.run.Watch(progress)
	}
	l := s.run.Limits
	s.warn(progress)
	switch {
	case l.Time > 0 && now.Sub(s.began) > l.Time:
		return TimedOut, true
	case progress.Final:
		return "", false
	case l.Context > 0 && progress.Context > l.Context:
		return ContextFull, true
	case l.Idle > 0 && progress.ServiceLimit == "" && now.Sub(s.began)-time.Duration(s.lastOutput.Load()) > l.Idle:
		return Idle, true
	}
	return "", false
}

func (s *session) warn(r Progress) {
	limit := s.run.Limits.Warn
	if s.warned || limit <= 0 || r.Context < limit || s.run.Warn == nil {
		return
	}
	s.warned = true
	s.run.Warn()
}
