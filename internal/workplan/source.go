package workplan

// MaxSize is the size of the largest workplan, in bytes: a repository may contain anything.
const MaxSize = 64 << 20

// A Source is a file that is to be parsed.
type Source struct {
	Name string // for messages
	Text []byte
}

// A Parsed is what a parser returns for one source.
type Parsed struct {
	File     *File     // nil where there are problems
	Problems []Problem // in the order of the file
}

// ParserProtocol is the version of what git-ralph and git-ralph-workplan-parser write to each other: a JSON array of Source on
// standard input, an array of Parsed on standard output.
const ParserProtocol = "1"
