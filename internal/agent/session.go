package agent

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"git-ralph/internal/mask"
	"git-ralph/internal/proc"
)

func (r Run) session(job *proc.Job) *session {
	masker := r.Masker
	if masker == nil {
		masker = mask.New()
	}
	s := &session{
		run: r, job: job, began: time.Now(), final: make(chan struct{}),
		outputMasker: newOutputMasker(r.Profile.Format, masker), messages: masker.Stream(),
	}
	if r.Tools != nil {
		s.tools = newToolCalls(r.Profile.Format, r.Tools)
	}
	return s
}

// A session is a running agent. One goroutine reads each of its output streams, and follow enforces the limits.
type session struct {
	run        Run
	job        *proc.Job
	began      time.Time
	lastOutput atomic.Int64 // when there last was output, a time.Duration since it began

	outputMasker *outputMasker // of its output
	messages     *mask.Stream  // of its standard error

	mu             sync.Mutex // guards what follows
	transcript     transcript
	stderr         []byte
	tools          *toolCalls    // nil where nobody wants them
	final          chan struct{} // closed with the last event
	warned         bool
	serviceLimitAt time.Time
	overdue        bool // it did not exit after its last event, and was ended
}

// watchTime is how often limits are checked and progress is reported.
const watchTime = 50 * time.Millisecond

// drainTime is how long output is read after the job has ended, if a process that could not be ended keeps the pipe open.
const drainTime = time.Second

func (s *session) follow(ctx context.Context) Outcome {
	var readers sync.WaitGroup
	readers.Go(func() { s.read(s.job.Stdout, s.output) })
	readers.Go(func() { s.read(s.job.Stderr, s.message) })
	end := s.wait(ctx)
	s.job.End(s.run.Limits.Grace)
	s.job.Stdout.SetReadDeadline(time.Now().Add(drainTime)) //nolint:errcheck // usually the pipe has ended already
	s.job.Stderr.SetReadDeadline(time.Now().Add(drainTime)) //nolint:errcheck // see above
	readers.Wait()
	s.add(s.outputMasker.end(s.log))
	if s.tools != nil {
		s.tools.close()
	}
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

// read reads a stream of the agent line by line. Every byte counts as activity: a progress bar prints no line feeds.
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
	s.add(s.outputMasker.take(line, func(line []byte) {
		if s.run.Profile.Format == Plain { // without a copy: there may be very much of it
			s.transcript.ServiceLimit = ""
			s.transcript.addText(line)
		}
		if s.tools != nil {
			s.tools.line(line, time.Now())
		}
		s.log(line)
	}))
}

// add adds events to the transcript.
func (s *session) add(events []Event) {
	defer s.recordServiceLimit(s.transcript.ServiceLimit)
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

// maxMessages is how much of standard error is kept, in bytes.
const maxMessages = 16 << 10

// message takes a line of standard error.
func (s *session) message(line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	line = s.messages.Line(line)
	defer s.recordServiceLimit(s.transcript.ServiceLimit)
	s.transcript.addServiceLimit(string(line[:min(len(line), maxMessages)]))
	s.stderr = append(append(s.stderr, line...), '\n')
	if len(s.stderr) > 2*maxMessages {
		s.stderr = append(s.stderr[:0], lastBytes(s.stderr, maxMessages)...)
	}
	s.log(line)
}

// recordServiceLimit records when a new limit was reported: its end is counted from then on.
func (s *session) recordServiceLimit(before string) {
	if s.transcript.ServiceLimit != before {
		s.serviceLimitAt = time.Now()
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
		Progress: s.transcript.Progress, End: end, Code: s.job.Code(),
		Output: string(lastBytes(s.transcript.text, maxOutput)), Messages: string(lastBytes(s.stderr, maxMessages)),
	}
	if s.overdue { // its exit status is of our making
		o.Code = 0
	}
	if o.Answered, o.ServiceLimitAt = s.transcript.answered, s.serviceLimitAt; !o.Success() && o.ServiceLimit == "" && end == Exited {
		if o.ServiceLimit = serviceLimitIn(o.Messages); o.ServiceLimit != "" {
			o.ServiceLimitAt = time.Now()
		}
	}
	return o
}
