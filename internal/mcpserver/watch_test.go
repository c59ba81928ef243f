package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"testing"
	"time"

	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/mcpserver"
)

// A client that subscribed to the plan is notified when somebody else changes it, in an editor or by a command.
func TestSubscription(t *testing.T) {
	t.Parallel()
	r := newRepo(t, plan)
	in, feed := io.Pipe()
	out, sink := io.Pipe()
	env := envOf(r)
	env.In, env.Out, env.Tty = in, sink, sink
	go mcpserver.Serve(context.WithoutCancel(t.Context()), env, uicmd.MCPOptions{}) //nolint:errcheck // it ends with its input
	defer feed.Close()
	messages := make(chan message)
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var m message
			if json.Unmarshal(lines.Bytes(), &m) == nil {
				messages <- m
			}
		}
	}()
	next := func() (m message) {
		select {
		case m = <-messages:
		case <-time.After(time.Minute):
			t.Fatal("nothing arrives")
		}
		return m
	}
	for _, line := range []string{greeting, `{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"ralph://next"}}` + "\n"} {
		if _, err := io.WriteString(feed, line); err != nil {
			t.Fatal(err)
		}
		if m := next(); m.Error != nil {
			t.Fatalf("%+v", m)
		}
	}
	r.WriteFile("ralph/plan.jsonl", `{"t": "spec", "spec": "s.md"}`+"\n")
	if m := next(); m.Method != "notifications/resources/updated" {
		t.Errorf("got %+v", m)
	}
}
