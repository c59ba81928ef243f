package cmdline

import (
	_ "embed" // the scripts
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/term"
)

// The scripts only ask `git-ralph __complete` and show its answer.
var (
	//go:embed shells/completion.bash
	bashScript string
	//go:embed shells/completion.zsh
	zshScript string
	//go:embed shells/completion.fish
	fishScript string
)

// shellNames returns the shells that completion supports.
func shellNames() []string { return []string{"bash", "zsh", "fish"} }

// scriptFor returns the script of a shell, "" where there is none.
func scriptFor(shell string) string {
	switch shell {
	case "bash":
		return bashScript
	case "zsh":
		return zshScript
	case "fish":
		return fishScript
	}
	return ""
}

// NewCompletion is `git ralph completion`.
func NewCompletion(env *term.Env) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print the completion of a shell",
		ArgsUsage: "bash|zsh|fish",
		Description: `Prints a script that completes git-ralph and git ralph in a shell: commands,
flags and their values, specs, and the ids of tasks and issues. Completing starts
no agent and no other program; where the plan cannot be read, it offers no ids.

Put the script where the shell looks for it, as install.sh does, or load it when
the shell starts.

EXIT STATUS
  0  done
  2  the command line is wrong

EXAMPLES
  source <(git ralph completion bash)
  git ralph completion zsh > ~/.zfunc/_git-ralph
  git ralph completion fish > ~/.config/fish/completions/git-ralph.fish`,
		BashComplete: CompletesArgs(OneOf(shellNames()...)),
		Action: func(c *cli.Context) error {
			script := scriptFor(c.Args().First())
			if c.NArg() != 1 || script == "" {
				return Usage(c, "completion takes the name of a shell: %s", strings.Join(shellNames(), ", "))
			}
			_, err := io.WriteString(env.Out, script)
			return term.OutputError(err)
		},
	}
}
