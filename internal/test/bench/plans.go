package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// planText is a canonical plan: a spec and that many tasks, about 300 bytes each, every tenth done, most with a
// dependency on an earlier one.
func planText(tasks int) string {
	lines := make([]string, tasks)
	for i := range tasks {
		deps, state := "", `"p"`
		if i > 2 && i%3 != 0 {
			deps = fmt.Sprintf(`"deps": [%q], `, taskID(i/2))
		}
		if i < tasks/10 {
			state = `"d", "done_at": "0123456789ab"`
		}
		lines[i] = taskLine(taskID(i), i, deps, state)
	}
	slices.Sort(lines)
	var b bytes.Buffer
	b.WriteString("{\"t\": \"spec\", \"spec\": \"bench.md\"}\n")
	for _, line := range lines {
		b.WriteString(line)
	}
	return b.String()
}

// taskID spreads ids over the alphabet, as random ones would be.
func taskID(i int) string {
	id := strconv.FormatInt(int64(i)*7919%1679616+1679616*20, 36)
	return "t-" + id
}

func taskLine(id string, n int, deps, state string) string {
	return fmt.Sprintf(`{"t": "task", "id": %q, "spec": "bench.md", "name": "Task number %d of the generated plan", `+
		`"notes": "Read the module, change the one function that is concerned and keep its callers as they are", `+
		`"accept": "go test ./part%d/... passes and the output is unchanged", %s"s": %s, "created_at": "2026-01-02T03:%02d:%02d.000Z"}`+"\n",
		id, n, n%100, deps, state, n/60%60, n%60)
}

// addTask puts one more task into the plan file, at its place by id: the edit that `git-ralph task add` makes.
func addTask(repo string, n int) error {
	path := filepath.Join(repo, planPath)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	line := []byte(taskLine(taskID(n), n, "", `"p"`))
	at := len(text)
	for start := 0; start < len(text); {
		end := start + bytes.IndexByte(text[start:], '\n') + 1
		if bytes.HasPrefix(text[start:], []byte(`{"t": "task"`)) && bytes.Compare(text[start:end], line) > 0 {
			at = start
			break
		}
		start = end
	}
	return os.WriteFile(path, slices.Concat(text[:at], line, text[at:]), 0o644)
}
