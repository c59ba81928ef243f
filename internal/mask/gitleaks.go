package mask

import (
	_ "embed"
	"math"
	"regexp"
	"strconv"
	"sync"

	"git-ralph/internal/jsonl"
)

//go:embed gitleaks.jsonl
var gitleaks string

// A rule is a published one: {"id", "keywords", "regex", "entropy", "group"}.
type rule struct {
	keywords []string
	regex    func() *regexp.Regexp
	entropy  float64
	group    int // of the expression that is the secret; 0 for the first one that matched
}

func rules() []rule {
	var list []rule
	for line := range jsonl.Lines(gitleaks) {
		object, err := jsonl.ParseObject(line.Text)
		if err != nil {
			panic("mask: gitleaks.jsonl: " + err.Error())
		}
		list = append(list, readRule(object))
	}
	return list
}

func readRule(o jsonl.Object) rule {
	member := func(name string) jsonl.Value { value, _ := o.Get(name); return value }
	expression, _ := member("regex").Str()
	r := rule{regex: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
	r.keywords, _ = member("keywords").Strings()
	r.entropy, _ = strconv.ParseFloat(string(member("entropy")), 64)
	r.group, _ = strconv.Atoi(string(member("group")))
	return r
}

// How much of a text around a keyword a rule is tried on, in bytes.
const (
	reachBefore = 120
	reachBehind = 600
)

// find returns the secrets in a part of a text.
func (r rule) find(text []byte) []span {
	var found []span
	for _, match := range r.regex().FindAllSubmatchIndex(text, -1) {
		secret := r.secret(match)
		if entropy(text[secret.from:secret.to]) < r.entropy || isObjectID(text[match[0]:match[1]]) {
			continue
		}
		secret.to = runEnd(text, secret.to, isKeyByte) // of a key that is longer than the part
		found = append(found, secret)
	}
	return found
}

// secret returns the group of a match that is the secret, else the whole match.
func (r rule) secret(match []int) span {
	if r.group > 0 && match[2*r.group] >= 0 {
		return span{match[2*r.group], match[2*r.group+1]}
	}
	for i := 2; i < len(match); i += 2 {
		if match[i] >= 0 {
			return span{match[i], match[i+1]}
		}
	}
	return span{match[0], match[1]}
}

// isObjectID reports whether a match is nothing but a hexadecimal number, as ids of git objects are.
func isObjectID(match []byte) bool {
	return runEnd(match, 0, func(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' }) == len(match)
}

// entropy returns Shannon's, in bits a byte.
func entropy(text []byte) (bits float64) {
	var counts [256]int
	for _, c := range text {
		counts[c]++
	}
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(text))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
