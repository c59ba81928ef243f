package agent

import (
	"bytes"
	"io"
)

// maxLine is how much of a line is kept, in bytes: of a longer one the beginning. One tool's result is one line.
const maxLine = 4 << 20

// readLines calls take with every line of r, without its line feed, until r ends. The bytes are valid during the call. A
// line in one piece of reading is not copied.
func readLines(r io.Reader, take func(line []byte)) {
	buffer := make([]byte, 64<<10)
	var begun []byte
	for {
		n, err := r.Read(buffer)
		rest := buffer[:n]
		for {
			line, after, found := bytes.Cut(rest, []byte{'\n'})
			if !found {
				break
			}
			if len(begun) > 0 {
				line = append(begun, line[:min(len(line), maxLine-len(begun))]...)
				begun = begun[:0]
			}
			take(line)
			rest = after
		}
		begun = append(begun, rest[:min(len(rest), maxLine-len(begun))]...)
		if err != nil {
			if len(begun) > 0 {
				take(begun)
			}
			return
		}
	}
}
