package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A lineTransport has one message on each line. Unlike the SDK's, it answers a line that is no message with an error and goes on, and
// reports the end of the input only when every request before it was answered.
type lineTransport struct {
	in  io.Reader
	out io.Writer
}

// maxLine is the longest line that is read, in bytes.
const maxLine = 4 << 20

func (t *lineTransport) Connect(context.Context) (mcp.Connection, error) {
	c := &lineConnection{
		out: t.out, messages: make(chan jsonrpc.Message), closed: make(chan struct{}), answered: make(chan struct{}, 1),
		waiting: map[jsonrpc.ID]bool{},
	}
	go c.readLines(t.in)
	return c, nil
}

type lineConnection struct {
	messages chan jsonrpc.Message // closed at the end of the input
	closed   chan struct{}
	close    sync.Once

	mu       sync.Mutex
	out      io.Writer
	waiting  map[jsonrpc.ID]bool // requests without an answer
	answered chan struct{}       // has an element where one was answered since somebody looked
}

func (c *lineConnection) SessionID() string { return "" }

func (c *lineConnection) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}

// Read returns the next message, and io.EOF when the input has ended and all requests are answered.
func (c *lineConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case m, ok := <-c.messages:
			if ok {
				c.expect(m)
				return m, nil
			}
		}
		if c.isAnswered() {
			return nil, io.EOF
		}
		select {
		case <-ctx.Done():
		case <-c.closed:
		case <-c.answered:
		}
	}
}

// expect notes that a request wants an answer. A subscription has one only at its end, and a request that was cancelled may have none.
func (c *lineConnection) expect(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Request)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case r.IsCall() && r.Method != "subscriptions/listen":
		c.waiting[r.ID] = true
	case r.Method == "notifications/cancelled":
		var p struct{ RequestID any }
		if json.Unmarshal(r.Params, &p) != nil {
			return
		}
		if id, err := jsonrpc.MakeID(p.RequestID); err == nil {
			delete(c.waiting, id)
		}
	}
}

func (c *lineConnection) isAnswered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.waiting) == 0
}

// Write writes one message.
func (c *lineConnection) Write(_ context.Context, m jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	if err := c.writeLine(data); err != nil {
		return err
	}
	if r, ok := m.(*jsonrpc.Response); ok {
		c.answer(r.ID)
	}
	return nil
}

func (c *lineConnection) answer(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
	select {
	case c.answered <- struct{}{}:
	default:
	}
}

func (c *lineConnection) writeLine(data []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(data, '\n'))
	return err
}

// readLines reads messages until the input ends.
func (c *lineConnection) readLines(in io.Reader) {
	defer close(c.messages)
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		line, tooLong, err := readLine(lines)
		if m := c.message(line, tooLong); m != nil {
			select {
			case c.messages <- m:
			case <-c.closed:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// message parses a line. One that is no message is answered at once; an empty one is nothing.
func (c *lineConnection) message(line []byte, tooLong bool) jsonrpc.Message {
	line = bytes.TrimSpace(line)
	if len(line) == 0 && !tooLong {
		return nil
	}
	m, err := jsonrpc.DecodeMessage(line)
	switch {
	case tooLong:
		c.refuse(nil, jsonrpc.CodeInvalidRequest, "the line is too long: want at most 4 MiB")
	case !json.Valid(line):
		c.refuse(nil, jsonrpc.CodeParseError, "the line is not JSON")
	case err != nil:
		c.refuse(nil, jsonrpc.CodeInvalidRequest, "the line is not one JSON-RPC message: "+err.Error())
	default:
		if id := changedID(line); id != nil {
			c.refuse(id, jsonrpc.CodeInvalidRequest, fmt.Sprintf("invalid id %s: want a string, or a whole number up to %d", id, maxID))
			return nil
		}
		return m
	}
	return nil
}

// maxID is the largest number that the SDK answers as it is: it reads numbers as floating-point ones.
const maxID = 1 << 53

// changedID returns the id of a message where the SDK would answer another one; nil where it would not.
func changedID(line []byte) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &m) != nil || len(m.ID) == 0 || m.ID[0] != '-' && (m.ID[0] < '0' || m.ID[0] > '9') {
		return nil
	}
	if n, err := strconv.ParseInt(string(m.ID), 10, 64); err == nil && -maxID <= n && n <= maxID {
		return nil
	}
	return m.ID
}

// refuse answers a line that is no message, with its id where that is known.
func (c *lineConnection) refuse(id json.RawMessage, code int, text string) {
	type wireError struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	data, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   wireError       `json:"error"`
	}{"2.0", id, wireError{code, text}})
	if err == nil {
		c.writeLine(data) //nolint:errcheck // writing the next answer fails too, and ends the session
	}
}

// readLine returns the next line, the last one with an error. Of one that is too long the rest is skipped.
func readLine(r *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxLine; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}
