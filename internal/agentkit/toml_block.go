package agentkit

import (
	"slices"
	"strings"
)

// tomlHeader is the first line of our table in a TOML file of settings. The table is put at the end of the file, behind a line break,
// and signed as files of our own are; what is between is removed again as it was added. The rest of the file is never parsed:
// whatever looks like a table of this name, or could keep one from being added, is left to the user.
const tomlHeader = "[mcp_servers." + serverName + "]"

// tomlBlock returns our table, as it is written.
func tomlBlock() string {
	return signed(tomlHeader+"\ncommand = \"git-ralph\"\nargs = [\"mcp\"]\n", "# ", "")
}

// Why a file is left alone.
const (
	hasTable   = "it has an MCP server " + serverName + " of its own"
	closedList = "mcp_servers is one value there: add " + serverName + " to it yourself"
	isChanged  = "our MCP server in it was changed since"
)

// addTable returns how a TOML file gets our table; one of another version is replaced.
func addTable(old string, exists bool) Change {
	from, to, found := findTable(old)
	if found && withLF(old[from:to]) == tomlBlock() {
		return Change{}
	}
	text, why := old, ""
	if found {
		if text, exists, why = cutTable(old, from, to); why != "" {
			return Change{Action: Leave, Why: why}
		}
	}
	if why := obstacle(text); why != "" {
		return Change{Action: Leave, Why: why}
	}
	if !exists && !found {
		return Change{Action: Create, text: tomlBlock()}
	}
	block := tomlBlock()
	if exists {
		block = "\n" + block
	}
	if strings.Contains(text, "\r\n") {
		block = strings.ReplaceAll(block, "\n", "\r\n")
	}
	return Change{Action: Edit, text: text + block}
}

// removeTable returns how a TOML file becomes what it was.
func removeTable(old string) Change {
	from, to, found := findTable(old)
	if !found {
		return Change{}
	}
	text, exists, why := cutTable(old, from, to)
	switch {
	case why != "":
		return Change{Action: Leave, Why: why}
	case !exists:
		return Change{Action: Delete}
	}
	return Change{Action: Edit, text: text}
}

// findTable returns where our table is, with its signature.
func findTable(text string) (from, to int, found bool) {
	for at := 0; ; {
		next := strings.Index(text[at:], tomlHeader)
		if next < 0 {
			return 0, 0, false
		}
		from = at + next
		at = from + len(tomlHeader)
		mark := strings.Index(text[from:], signMark)
		if mark < 0 || from > 0 && text[from-1] != '\n' {
			continue
		}
		to = len(text)
		if end := strings.IndexByte(text[from+mark:], '\n'); end >= 0 {
			to = from + mark + end + 1
		}
		if isPristine(withLF(text[from:to])) {
			return from, to, true
		}
	}
}

// cutTable removes our table from a file. exists is false where nothing else is in a file that we made. A reason is returned where
// lines that belong to the table follow it.
func cutTable(text string, from, to int) (rest string, exists bool, why string) {
	after := text[to:]
	for line := range strings.Lines(after) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !strings.HasPrefix(line, "[") {
			return "", true, isChanged
		}
		break
	}
	end := "\n"
	if strings.Contains(text[from:to], "\r\n") {
		end = "\r\n"
	}
	before := strings.TrimSuffix(text[:from], end)
	if after != "" && before != "" && !strings.HasSuffix(before, "\n") {
		before = text[:from] // what follows begins on a line of its own
	}
	return before + after, from > 0 || after != "", ""
}

// obstacle returns why our table cannot be added to a file, "" where it can. Keys are compared without blanks and quotes.
func obstacle(text string) string {
	plain := strings.NewReplacer(" ", "", "\t", "", `"`, "", "'", "", "\ufeff", "")
	const own = "mcp_servers." + serverName
	inServers := false
	for line := range strings.Lines(text) {
		line = plain.Replace(line)
		switch {
		case hasAnyPrefix(line, "["+own+"]", "["+own+".", "[["+own, own+".", own+"="), inServers && hasAnyPrefix(line, serverName+".", serverName+"="):
			return hasTable
		case hasAnyPrefix(line, "mcp_servers=", "[[mcp_servers]"):
			return closedList
		case strings.HasPrefix(line, "["):
			inServers = strings.HasPrefix(line, "[mcp_servers]")
		}
	}
	return ""
}

func hasAnyPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

func withLF(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
