package journal

import "bytes"

// masked stands in a log for what looked like a secret.
const masked = "***"

// A shape is how a secret looks: what it begins with, or what its name ends with, and how many characters at least
// follow. What stands before the characters is kept.
type shape struct {
	mark  string
	least int
	named bool // the mark is a name; "=", ":" and quotes may stand between it and the secret
}

// shapes are the keys of services that agents are commonly given, and what names say of other ones.
func shapes() []shape {
	return []shape{
		{"sk-", 20, false},
		{"ghp_", 20, false},
		{"gho_", 20, false},
		{"ghu_", 20, false},
		{"ghs_", 20, false},
		{"ghr_", 20, false},
		{"github_pat_", 20, false},
		{"glpat-", 16, false},
		{"xoxb-", 16, false},
		{"xoxp-", 16, false},
		{"AKIA", 16, false},
		{"AIza", 30, false},
		{"npm_", 30, false},
		{"hf_", 30, false},
		{"Bearer ", 16, false},
		{"-----BEGIN", 40, false},
		{"_KEY", 8, true},
		{"_TOKEN", 8, true},
		{"_SECRET", 8, true},
		{"PASSWORD", 6, true},
		{"api_key", 8, true},
		{"apiKey", 8, true},
		{"access_token", 8, true},
		{"client_secret", 8, true},
		{"password", 6, true},
	}
}

// mask returns a line with what looks like a secret masked; the line itself where nothing does.
func mask(line []byte) []byte {
	for _, s := range shapes() {
		line = s.mask(line)
	}
	return line
}

func (s shape) mask(line []byte) []byte {
	at := bytes.Index(line, []byte(s.mark))
	if at < 0 {
		return line
	}
	var out []byte
	rest := line
	for ; at >= 0; at = bytes.Index(rest, []byte(s.mark)) {
		from := at + len(s.mark)
		to := s.end(rest, &from)
		out = append(out, rest[:from]...)
		if to > from {
			out = append(out, masked...)
		}
		rest = rest[to:]
	}
	return append(out, rest...)
}

// end returns where the secret behind a mark ends; from moves to where it begins. Both are the same where there is none.
func (s shape) end(line []byte, from *int) int {
	begin := *from
	if s.mark == "-----BEGIN" {
		return keyEnd(line, begin)
	}
	if s.named {
		for begin < len(line) && bytes.IndexByte([]byte(`"'\`), line[begin]) >= 0 {
			begin++
		}
		sign := begin
		for begin < len(line) && bytes.IndexByte([]byte(`=: "'\`), line[begin]) >= 0 {
			begin++
		}
		if sign == begin || bytes.IndexAny(line[sign:begin], "=:") < 0 {
			return *from
		}
	}
	to := begin
	for to < len(line) && isSecretByte(line[to]) {
		to++
	}
	if to-begin < s.least {
		return *from
	}
	*from = begin
	return to
}

// keyEnd returns where a private key ends; a log has it on one line where the output is JSON.
func keyEnd(line []byte, from int) int {
	if !bytes.Contains(line[from:min(from+40, len(line))], []byte("PRIVATE KEY")) {
		return from
	}
	if end := bytes.Index(line[from:], []byte("-----END")); end >= 0 {
		return from + end
	}
	return len(line)
}

func isSecretByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || bytes.IndexByte([]byte("-_.+/=~"), c) >= 0
}
