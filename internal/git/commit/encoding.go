package commit

import (
	"fmt"
	"strings"
)

// EncodingError: git's attributes give a file another encoding than UTF-8.
type EncodingError struct{ Path, Encoding string }

func (e *EncodingError) Error() string {
	return fmt.Sprintf("invalid working-tree-encoding %q of %s in git's attributes: want UTF-8", e.Encoding, e.Path)
}

// Hint returns what the user can change.
func (e *EncodingError) Hint() string {
	return fmt.Sprintf("add the line `%s working-tree-encoding=UTF-8` to .gitattributes, below the one that sets another encoding", e.Path)
}

// checkEncoding returns an *EncodingError for a file that git would convert to another encoding. It runs git only if an
// attribute may set one.
func (t *Tx) checkEncoding() error {
	if !t.attrs.Filtered {
		return nil
	}
	out, err := t.repo.Git().Output(t.ctx, "check-attr", "-z", "working-tree-encoding", "--", t.path)
	fields := strings.Split(string(out), "\x00")
	if err != nil || len(fields) < 3 {
		return err
	}
	switch encoding := fields[2]; strings.ToUpper(encoding) {
	case "UNSPECIFIED", "UTF-8", "UTF8", "":
		return nil
	default:
		return &EncodingError{Path: t.path, Encoding: encoding}
	}
}
