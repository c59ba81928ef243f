package mask

import "bytes"

// The marks of a private key. It takes many lines, or one with escapes.
const (
	keyBegin = "-----BEGIN"
	keyEnd   = "-----END"
)

// maxKind is how long the words between keyBegin and the key are, in bytes, as in RSA PRIVATE KEY-----.
const maxKind = 64

// privateKey finds a private key after the mark of its beginning: up to the mark of its end, else to the end of the string
// or text.
func privateKey(text []byte, _, end int) span {
	if !bytes.Contains(text[end:min(end+maxKind, len(text))], []byte("PRIVATE KEY")) {
		return span{}
	}
	to := len(text)
	if at := bytes.Index(text[end:], []byte(keyEnd)); at >= 0 {
		to = end + at
	} else if at := bytes.IndexByte(text[end:], '"'); at >= 0 {
		to = end + at - backslashes(text, end+at)
	}
	return span{end, to}
}

// opensKey reports whether a private key begins in a line and continues in the next one. In a string of JSON it does not.
func opensKey(line []byte) bool {
	at := bytes.LastIndex(line, []byte(keyBegin))
	if at < 0 {
		return false
	}
	key := privateKey(line, at, at+len(keyBegin))
	return key.to == len(line) && key.to > key.from
}
