package commit

import (
	"fmt"
	"strings"
)

// EncodingError: git's attributes give a file another encoding than UTF-8.
type EncodingError struct{ Path, Encoding string }

func (e *EncodingError) Error() string {
	return fmt.Sprintf("git's attributes say that %s has the encoding %s: want UTF-8", e.Path, e.Encoding)
}

// Hint says what to change.
func (e *EncodingError) Hint() string {
	return fmt.Sprintf("add the line `%s working-tree-encoding=UTF-8` to .gitattributes, below the one that says otherwise", e.Path)
}

// checkEncoding refuses a file that git would convert to another encoding. It asks git only where an attribute may say so.
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
