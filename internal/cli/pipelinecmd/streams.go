package pipelinecmd

import (
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/pipeline"
)

// streamsAnswer is what `git ralph pipeline streams` prints.
type streamsAnswer struct{ pipeline.Streams }

func streams(_ context.Context, _ planio.View, g *pipeline.Group) (answer, error) {
	return streamsAnswer{g.Streams()}, nil
}

// show prints streams for people.
func (s streamsAnswer) show(env *term.Env) {
	table := term.Table{Fixed: 1}
	for _, stream := range s.Streams.Streams {
		var items []string
		for _, ref := range stream.Issues {
			items = append(items, ref.String())
		}
		table.Add(
			term.Cell{Text: stream.ID, Style: term.Cyan}, term.Cell{Text: strings.Join(items, " ")},
			term.Cell{Text: strings.Join(stream.SharedFiles, " "), Style: term.Faint},
		)
	}
	table.Write(env)
	fmt.Fprintln(env.Out, s.Rationale)
}

const aboutStreams = `Prints the streams of items, which can be worked on at the same time: two items are
in one stream if they modify the same file, or one is blocked by the other, directly
or through others. The order of the items does not matter. One or two items are one
stream. Where standard output is not a terminal it is JSON:

  {"streams": [{"id", "issues", "sharedFiles", "primaryIssue"}], "totalIssues",
   "totalStreams", "rationale"}

The files are those that research has found out, in the field "files" of an item.
An item without a number on GitHub has its id for a number.
` + planio.QueryExits + `
EXAMPLES
  git ralph pipeline streams GH-42
  git ralph pipeline streams GH-42 GH-43 GH-44 --json | jq -r '.streams[].id'`
