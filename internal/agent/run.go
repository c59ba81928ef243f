package agent

import (
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"git-ralph/internal/mask"
	"git-ralph/internal/proc"
)

// Limits are what an agent is held to. A zero one does not hold.
type Limits struct {
	Time    time.Duration // for the whole run
	Idle    time.Duration // without any output
	Warn    int           // tokens in its context at which Run.Warn is called
	Context int           // tokens in its context
	Final   time.Duration // from its last event to the end of its process
	Grace   time.Duration // from TERM to KILL
}

// A Run is one start of an agent.
type Run struct {
	Profile Profile
	Prompt  string   // the file that holds the prompt
	Dir     string   // where it works
	Env     []string // its whole environment
	Limits  Limits
	Log     io.Writer     // takes whole lines, one a call, of output and messages; may be nil
	Watch   func(Reading) // called now and then as it gets on; may be nil
	Started func(proc.ID) // called once, as soon as it runs; may be nil
	Warn    func()        // called once when its context is that full; may be nil
	Masker  *mask.Masker  // of secrets in all that it prints; nil for our own list alone
}

// An End is how a run ended.
type End string

// The ends of a run.
const (
	Exited      End = "exited"      // by itself, or after its last event
	TimedOut    End = "timeout"     // it took too long
	Idle        End = "idle"        // it was silent for too long
	OutOfBounds End = "context"     // its context was full
	Interrupted End = "interrupted" // the context of Do ended
)

// An Outcome is what a run came to.
type Outcome struct {
	Reading
	End      End
	Code     int    // exit status, -1 where a signal ended it, 0 where we ended it after its last event
	Output   string // the end of its text
	Messages string // the end of its messages on standard error

	Answered bool      // its service answered at least once, where its output shows that
	LimitAt  time.Time // when the limit was met, if there is one
}

// Success reports whether the agent succeeded, by exit status and by its own account.
func (o Outcome) Success() bool {
	return o.End == Exited && !o.Failed && o.Code == 0
}

// CommandLine returns the program and its arguments, with the prompt's file in its place.
func (r Run) CommandLine() []string {
	line := make([]string, len(r.Profile.Command))
	for i, word := range r.Profile.Command {
		line[i] = strings.ReplaceAll(word, PromptFile, r.Prompt)
	}
	return line
}

// Do starts the agent and returns when it and all that it started have ended. The error is that of a program that could
// not be started, a *proc.Error.
func (r Run) Do(ctx context.Context) (Outcome, error) {
	input, err := r.input()
	if err != nil {
		return Outcome{}, err
	}
	defer input.Close()
	line := r.CommandLine()
	job, err := proc.StartJob(proc.Cmd{Name: line[0], Args: line[1:], Dir: r.Dir, Env: r.Env, Input: input})
	if err != nil {
		return Outcome{}, err
	}
	if r.Started != nil {
		r.Started(job.ID)
	}
	return r.session(job).follow(ctx), nil
}

func (r Run) session(job *proc.Job) *session {
	masker := r.Masker
	if masker == nil {
		masker = mask.New()
	}
	return &session{
		run: r, job: job, began: time.Now(), final: make(chan struct{}),
		intake: newIntake(r.Profile.Format, masker), messages: masker.Stream(),
	}
}

// input opens what the agent reads: the prompt, or nothing where the command names its file.
func (r Run) input() (*os.File, error) {
	if strings.Contains(strings.Join(r.Profile.Command, " "), PromptFile) {
		return os.Open(os.DevNull)
	}
	return os.Open(r.Prompt)
}

// A session is a run under way. Two readers feed it, follow watches.
type session struct {
	run        Run
	job        *proc.Job
	began      time.Time
	lastOutput atomic.Int64 // when there last was output, a time.Duration since it began

	intake   *intake      // of its output
	messages *mask.Stream // of its standard error

	mu         sync.Mutex // guards what follows
	transcript transcript
	stderr     []byte
	final      chan struct{} // closed with the last event
	warned     bool
	limitAt    time.Time
	overdue    bool // it stayed after its last event until it was ended
}

// watchTime is how often limits are checked and progress is reported.
const watchTime = 50 * time.Millisecond

// drainTime is how long output is read on after all has ended, where something holds the pipe that could not be ended.
const drainTime = time.Second

func (s *session) follow(ctx context.Context) Outcome {
	var readers sync.WaitGroup
	readers.Go(func() { s.read(s.job.Stdout, s.output) })
	readers.Go(func() { s.read(s.job.Stderr, s.message) })
	end := s.wait(ctx)
	s.job.End(s.run.Limits.Grace)
	s.job.Stdout.SetReadDeadline(time.Now().Add(drainTime)) //nolint:errcheck // without it the end of the pipe comes all the same
	s.job.Stderr.SetReadDeadline(time.Now().Add(drainTime)) //nolint:errcheck // see above
	readers.Wait()
	s.add(s.intake.end(s.log))
	s.job.Close()
	return s.outcome(end)
}

// wait returns when the run is over, by itself or by a limit.
func (s *session) wait(ctx context.Context) End {
	tick := time.NewTicker(watchTime)
	defer tick.Stop()
	final := s.final
	var overdue <-chan time.Time
	for {
		select {
		case <-s.job.Exited():
			return Exited
		case <-overdue:
			s.overdue = true
			return Exited // it reported that it was done
		case <-ctx.Done():
			return Interrupted
		case <-final:
			final = nil
			if s.run.Limits.Final > 0 {
				overdue = time.After(s.run.Limits.Final)
			}
		case <-tick.C:
			if end, over := s.check(time.Now()); over {
				return end
			}
		}
	}
}

// check reports progress, and returns which limit is exceeded.
func (s *session) check(now time.Time) (End, bool) {
	s.mu.Lock()
	reading := s.transcript.Reading
	if s.run.Profile.Format == Plain { // its text is all that shows how it gets on
		reading.Tool = lastLine(s.transcript.text)
	}
	s.mu.Unlock()
	if s.run.Watch != nil {
		s.run.Watch(reading)
	}
	l := s.run.Limits
	s.warn(reading)
	switch {
	case l.Time > 0 && now.Sub(s.began) > l.Time:
		return TimedOut, true
	case reading.Final:
		return "", false
	case l.Context > 0 && reading.Context > l.Context:
		return OutOfBounds, true
	case l.Idle > 0 && reading.Limit == "" && now.Sub(s.began)-time.Duration(s.lastOutput.Load()) > l.Idle:
		return Idle, true
	}
	return "", false
}

func (s *session) warn(r Reading) {
	limit := s.run.Limits.Warn
	if s.warned || limit <= 0 || r.Context < limit || s.run.Warn == nil {
		return
	}
	s.warned = true
	s.run.Warn()
}

// read reads a pipe of the agent's, line by line. Any byte is a sign of life: a bar that moves has no line feeds.
func (s *session) read(pipe io.Reader, take func(line []byte)) {
	readLines(activityReader{pipe, s}, take)
}

// An activityReader records when something was read.
type activityReader struct {
	io.Reader
	session *session
}

func (l activityReader) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if n > 0 {
		l.session.lastOutput.Store(int64(time.Since(l.session.began)))
	}
	return n, err
}

// output takes a line of the agent's output.
func (s *session) output(line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(s.intake.take(line, func(line []byte) {
		if s.run.Profile.Format == Plain { // without a copy: there may be very much of it
			s.transcript.Limit = ""
			s.transcript.addText(line)
		}
		s.log(line)
	}))
}

// add adds events to the transcript.
func (s *session) add(events []Event) {
	defer s.recordLimit(s.transcript.Limit)
	for _, e := range events {
		s.transcript.add(e)
	}
	if s.transcript.Final && !s.closed() {
		close(s.final)
	}
}

func (s *session) closed() bool {
	select {
	case <-s.final:
		return true
	default:
		return false
	}
}

// maxMessages is how much of the messages is kept, in bytes.
const maxMessages = 16 << 10

// message takes a line of standard error.
func (s *session) message(line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	line = s.messages.Line(line)
	defer s.recordLimit(s.transcript.Limit)
	s.transcript.addLimit(string(line[:min(len(line), maxMessages)]))
	s.stderr = append(append(s.stderr, line...), '\n')
	if len(s.stderr) > 2*maxMessages {
		s.stderr = append(s.stderr[:0], lastBytes(s.stderr, maxMessages)...)
	}
	s.log(line)
}

// recordLimit records when a limit was met that was not known before: its end is counted from then on.
func (s *session) recordLimit(before string) {
	if s.transcript.Limit != before {
		s.limitAt = time.Now()
	}
}

func (s *session) log(line []byte) {
	if s.run.Log != nil {
		s.run.Log.Write(line) //nolint:errcheck // a log that cannot be written must not stop the work
	}
}

func (s *session) outcome(end End) Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := Outcome{
		Reading: s.transcript.Reading, End: end, Code: s.job.Code(),
		Output: string(lastBytes(s.transcript.text, maxOutput)), Messages: string(lastBytes(s.stderr, maxMessages)),
	}
	if s.overdue { // its exit status is of our making
		o.Code = 0
	}
	if o.Answered, o.LimitAt = s.transcript.answered, s.limitAt; !o.Success() && o.Limit == "" && end == Exited {
		if o.Limit = limitIn(o.Messages); o.Limit != "" {
			o.LimitAt = time.Now()
		}
	}
	return o
}

// limitIn returns the last message on standard error, of an agent that failed, which is about a limit.
func limitIn(messages string) string {
	const near = 2048 // what it printed long before is not why it failed
	lines := strings.Split(string(lastBytes([]byte(messages), near)), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if isLimit(lines[i]) {
			return lines[i]
		}
	}
	return ""
}
