package agent

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/proc"
)

// Errors of Choose and Profile.Check.
var (
	// ErrUnknown: the name is neither an agent nor a command line.
	ErrUnknown = errors.New("no such agent")
	// ErrSetting: a setting of an agent has an invalid value.
	ErrSetting = errors.New("invalid setting")
	// ErrMissing: the program of an agent is not installed.
	ErrMissing = errors.New("cannot start the agent")
)

// PromptFile is the placeholder in a command for the path of the prompt's file. A command without it gets the prompt on
// standard input.
const PromptFile = "{prompt_file}"

// Default is the name of the default agent.
const Default = "claude"

// A Profile says how to run one kind of agent.
type Profile struct {
	Name    string
	Command []string // the program and its arguments, which may contain PromptFile
	Format  Format   // of what it prints
	Window  int      // the size of its context, in tokens; 0 if unknown

	UntrustedArgs UntrustedArgs // make it ignore the repository's settings; nil if it cannot
}

// builtIn are the agents that need no configuration. None of them has an argument to skip asking for permissions: that is for
// the user to add, in ralph.agent.NAME.args.
func builtIn() []Profile {
	return []Profile{
		{Name: "claude", Command: []string{"claude", "-p", "--output-format", "stream-json", "--verbose"}, Format: Claude, Window: 200_000, UntrustedArgs: claudeUntrustedArgs()},
		{Name: "codex", Command: []string{"codex", "exec", "--json", "-"}, Format: Codex, Window: 272_000, UntrustedArgs: codexUntrustedArgs()},
		{Name: "gemini", Command: []string{"gemini", "--output-format", "stream-json"}, Format: Gemini, Window: 1_000_000},
		{Name: "opencode", Command: []string{"opencode", "run", "--format", "json"}, Format: OpenCode, Window: 200_000},
	}
}

// Names lists the built-in agents.
func Names() []string {
	var names []string
	for _, p := range builtIn() {
		names = append(names, p.Name)
	}
	return names
}

// Settings are the settings in git's configuration.
type Settings interface {
	Get(key string) (value string, found bool)
}

// Directories are those that relative paths of programs are resolved against.
type Directories struct {
	Here string // the user's, for a command line of --agent
	Root string // the worktree's, for one in the configuration
}

// Choose returns the profile of an agent. Its name is that of a built-in agent, that of an agent which ralph.agent.NAME.command
// defines, or else a command line that prints plain text. An empty name stands for the value of ralph.agent, else Default. The
// settings ralph.agent.NAME.{command,args,untrustedArgs,format,window} replace or extend the built-in profile. The errors are
// ErrUnknown and ErrSetting.
func Choose(name string, settings Settings, dirs Directories) (Profile, error) {
	from := dirs.Here
	if name == "" {
		name, _ = settings.Get("ralph.agent")
		from = dirs.Root
	}
	if name == "" {
		name = Default
	}
	for _, p := range builtIn() {
		if p.Name == name {
			return p.configured(settings, dirs)
		}
	}
	if Defined(settings, name) {
		return Profile{Name: name, Format: Plain}.configured(settings, dirs)
	}
	command, err := proc.SplitWords(name)
	if err != nil || len(command) == 0 {
		return Profile{}, fmt.Errorf("%w: %q", ErrUnknown, name)
	}
	return Profile{Name: command[0], Command: resolved(command, from), Format: Plain}, nil
}

// Defined reports whether the configuration defines an agent of that name.
func Defined(settings Settings, name string) bool {
	_, found := settings.Get(key(name, "command"))
	return found
}

// resolved returns a command with the relative path of its program resolved against a directory, because the agent may run
// in another one.
func resolved(command []string, dir string) []string {
	program := filepath.FromSlash(command[0])
	if filepath.Base(program) == program || filepath.IsAbs(program) || dir == "" {
		return command
	}
	return append([]string{filepath.Join(dir, program)}, command[1:]...)
}

// modelPlaceholder is replaced by the model in a command.
const modelPlaceholder = "{model}"

// WithModel returns the profile with a model: it replaces {model} in the command, or is added as --model to the command of a
// built-in agent. "" leaves the choice to the agent. The error is ErrSetting.
func (p Profile) WithModel(model string) (Profile, error) {
	has := slices.ContainsFunc(p.Command, func(word string) bool { return strings.Contains(word, modelPlaceholder) })
	switch {
	case has && model == "":
		return Profile{}, fmt.Errorf("%w: the command of the agent %s has %s, and no model is given", ErrSetting, p.Name, modelPlaceholder)
	case has:
		p.Command = slices.Clone(p.Command)
		for i, word := range p.Command {
			p.Command[i] = strings.ReplaceAll(word, modelPlaceholder, model)
		}
	case model != "" && !slices.Contains(Names(), p.Name):
		return Profile{}, fmt.Errorf("%w: the agent %s cannot be given the model %q: its command has no %s", ErrSetting, p.Name, model, modelPlaceholder)
	case model != "":
		p.Command = withArgs(p.Command, []string{"--model=" + model}) // one word, so that no model is taken for an option
	}
	return p, nil
}

// Check returns an error where the agent's program is not found on the PATH of environ, or at its own path.
func (p Profile) Check(environ []string) error {
	if _, err := proc.LookPath(p.Command[0], environ); err != nil {
		return fmt.Errorf("%q: %w", p.Command[0], errors.Unwrap(err))
	}
	return nil
}

func key(name, setting string) string { return "ralph.agent." + name + "." + setting }

// configured returns the profile with what the configuration sets for it.
func (p Profile) configured(settings Settings, dirs Directories) (Profile, error) {
	if err := p.setCommand(settings); err != nil {
		return Profile{}, err
	}
	p.Command = resolved(p.Command, dirs.Root)
	if value, found := settings.Get(key(p.Name, "format")); found {
		p.Format = Format(value)
		if !slices.Contains(formats(), p.Format) {
			return Profile{}, badSetting(key(p.Name, "format"), value, "one of "+joined(formats()))
		}
	}
	if value, found := settings.Get(key(p.Name, "window")); found {
		window, err := strconv.Atoi(value)
		if err != nil || window < 0 {
			return Profile{}, badSetting(key(p.Name, "window"), value, "a number of tokens")
		}
		p.Window = window
	}
	return p, nil
}

func (p *Profile) setCommand(settings Settings) error {
	if value, found := settings.Get(key(p.Name, "command")); found {
		command, err := proc.SplitWords(value)
		if err != nil || len(command) == 0 {
			return badSetting(key(p.Name, "command"), value, "a command line")
		}
		p.Command, p.UntrustedArgs = command, nil // another program may not know the arguments
	}
	if value, found := settings.Get(key(p.Name, "args")); found {
		args, err := proc.SplitWords(value)
		if err != nil {
			return badSetting(key(p.Name, "args"), value, "arguments")
		}
		p.Command = withArgs(p.Command, args)
	}
	if value, found := settings.Get(key(p.Name, "untrustedArgs")); found {
		args, err := proc.SplitWords(value)
		if err != nil {
			return badSetting(key(p.Name, "untrustedArgs"), value, "arguments")
		}
		p.UntrustedArgs = append(UntrustedArgs{}, args...)
	}
	return nil
}

// withArgs adds arguments to a command, before a last "-" that stands for standard input.
func withArgs(command, args []string) []string {
	at := len(command)
	if command[at-1] == "-" {
		at--
	}
	return slices.Insert(slices.Clone(command), at, args...)
}

func badSetting(key, value, expected string) error {
	return fmt.Errorf("%w %s %q: want %s", ErrSetting, key, value, expected)
}

func joined(list []Format) string {
	words := make([]string, len(list))
	for i, f := range list {
		words[i] = string(f)
	}
	return strings.Join(words, ", ")
}
