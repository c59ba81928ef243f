package markdown

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"git-ralph/internal/workplan"
)

// Main is the program git-ralph-workplan-parser: args are its command line without its name. It returns the exit status.
func Main(args []string, version string, in io.Reader, out, errOut io.Writer) int {
	switch {
	case len(args) == 1 && args[0] == workplan.ParserProtocol:
		if err := serve(in, out); err != nil {
			fmt.Fprintf(errOut, "git-ralph-workplan-parser: error: %v\n", err)
			return 1
		}
		return 0
	case len(args) == 1 && args[0] == "--version":
		fmt.Fprintf(out, "git-ralph-workplan-parser version %s\n", version)
		return 0
	}
	fmt.Fprintf(errOut, "git-ralph-workplan-parser: error: this program is run by git-ralph, with the argument %s\n", workplan.ParserProtocol)
	return 2
}

// serve parses what is on standard input.
func serve(in io.Reader, out io.Writer) error {
	var sources []workplan.Source
	if err := json.NewDecoder(in).Decode(&sources); err != nil {
		return fmt.Errorf("invalid request: %w", err)
	}
	parsed := make([]workplan.Parsed, len(sources))
	for i, s := range sources {
		file, err := Parse(s.Name, s.Text)
		parsed[i].File = file
		if invalid, ok := errors.AsType[*workplan.InvalidError](err); ok {
			parsed[i].Problems = invalid.Problems
		}
	}
	return json.NewEncoder(out).Encode(parsed)
}
