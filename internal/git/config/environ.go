package config

import (
	"slices"
	"strings"
)

// parameters is the variable by which `git -c` passes settings on.
const parameters = "GIT_CONFIG_PARAMETERS"

// count is the variable that says how many settings are in variables of their own.
const count = "GIT_CONFIG_COUNT"

// WithSettings returns a copy of an environment in which git reads these settings too: stronger than those of files and of
// GIT_CONFIG_COUNT, weaker than those that were passed with `git -c`. GIT_CONFIG_COUNT would need git 2.31, and is overwritten by
// tools that set it without reading it.
func WithSettings(environ []string, settings ...Setting) []string {
	words := make([]string, 0, len(settings)+1)
	for _, s := range settings {
		words = append(words, "'"+strings.ReplaceAll(s.Key+"="+s.Value, "'", `'\''`)+"'")
	}
	if passed, _ := Getenv(environ, parameters); passed != "" {
		words = append(words, passed)
	}
	environ = slices.DeleteFunc(slices.Clone(environ), func(kv string) bool { return strings.HasPrefix(kv, parameters+"=") })
	return append(environ, parameters+"="+strings.Join(words, " "))
}

// Getenv returns the value of a variable: the last one if the name occurs twice.
func Getenv(environ []string, key string) (string, bool) {
	for i := len(environ) - 1; i >= 0; i-- {
		kv := environ[i]
		if len(kv) > len(key) && kv[len(key)] == '=' && kv[:len(key)] == key {
			return kv[len(key)+1:], true
		}
	}
	return "", false
}

// HasAny reports whether one of the variables is set.
func HasAny(environ, keys []string) bool {
	for _, key := range keys {
		if _, ok := Getenv(environ, key); ok {
			return true
		}
	}
	return false
}
