package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// Query asks GraphQL. name is for messages. Where GitHub answers with errors, the error is a *QueryError, and out has the data that came
// with them.
func (c *Client) Query(ctx context.Context, name, query string, variables map[string]any, out any) error {
	return c.graphql(ctx, name, query, variables, out, true)
}

// Mutate makes a change by GraphQL. It is never repeated, like a POST of Send.
func (c *Client) Mutate(ctx context.Context, name, query string, variables map[string]any, out any) error {
	return c.graphql(ctx, name, query, variables, out, false)
}

func (c *Client) graphql(ctx context.Context, name, query string, variables map[string]any, out any, repeatable bool) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return err
	}
	r := request{name, http.MethodPost, c.options.Target.GraphQL(), body, repeatable, !repeatable, variables}
	p := &waitBudget{maxWait}
	for {
		got, err := c.do(ctx, r)
		if err != nil {
			return err
		}
		var answer struct {
			Data   json.RawMessage `json:"data"`
			Errors []Problem       `json:"errors"`
		}
		if err := c.decode(r, got, &answer); err != nil {
			return err
		}
		if !isLimit(answer.Errors) {
			return c.data(r, answer.Data, answer.Errors, out)
		}
		if err := c.wait(ctx, p, "GitHub's rate limit is reached", max(untilReset(got, c.options.Now()), time.Second)); err != nil {
			return err
		}
	}
}

// data reads what a query was answered with.
func (c *Client) data(r request, data json.RawMessage, problems []Problem, out any) error {
	if len(data) > 0 && out != nil {
		if err := c.decode(r, &reply{status: http.StatusOK, body: data}, out); err != nil {
			return err
		}
	}
	if len(problems) == 0 {
		if len(data) == 0 {
			return fmt.Errorf("GitHub answered %s without data", r.operation)
		}
		return nil
	}
	for i := range problems {
		problems[i].Message = c.login.masked(problems[i].Message)
	}
	return &QueryError{r.operation, problems}
}

func isLimit(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return p.Type == "RATE_LIMITED" })
}
