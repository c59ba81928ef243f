package scripted

import (
	"context"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/proc"
)

// pass reports that every task which is said to be done is, but for one: "ID why".
func (a actor) pass(but string) error {
	ids, err := doneTasks()
	if err != nil {
		return err
	}
	failed, why, _ := strings.Cut(but, " ")
	var results []string
	for _, id := range ids {
		result := []jsonl.Member{{Name: "task_id", Value: jsonl.Quote(id)}, {Name: "passed", Value: "true"}}
		if id == failed {
			result[1].Value = "false"
			result = append(result, jsonl.Member{Name: "reason", Value: jsonl.Quote(why)})
		}
		results = append(results, jsonl.Build(result).Text())
	}
	return a.do("report", `{"results": [`+strings.Join(results, ", ")+`]}`)
}

// doneTasks asks for the tasks to check, as an agent would. Others may be pending still.
func doneTasks() ([]string, error) {
	res, err := proc.Run(context.Background(), proc.Cmd{Name: "git", Args: []string{"ralph", "query", "tasks"}})
	if err != nil {
		return nil, err
	}
	tasks, err := jsonl.ParseObject(strings.TrimSpace(string(res.Stdout)))
	if err != nil {
		return nil, err
	}
	items, found := tasks.Get("done")
	if !found {
		return nil, nil
	}
	var ids []string
	for item := range items.All() {
		object, err := jsonl.ParseObject(string(item))
		if err != nil {
			return nil, err
		}
		value, _ := object.Get("id")
		id, _ := value.Str()
		ids = append(ids, id)
	}
	return ids, nil
}
