// Package config reads git's configuration: the files that git would read with what they include, and where each scope has its
// settings and attributes. git itself is run through a function that is passed in.
//
// go-git's parser is not used: it ignores include.path and includeIf, and knows neither scopes nor GIT_CONFIG_COUNT.
package config

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// ErrConfig: a setting has an invalid value.
var ErrConfig = errors.New("invalid setting")

// Config is the configuration that git itself would use. It is complete for the settings that this program uses (see matters);
// others may be missing if they are in a conditional include.
type Config struct {
	entries           []Entry
	identityUncertain bool // a conditional include may set the user's identity
}

// Get returns the last value of key, e.g. "ralph.plan" or "remote.origin.url". Only the subsection is case-sensitive.
// A name without a value reads as "".
func (c *Config) Get(key string) (string, bool) {
	e, ok := c.last(key)
	return e.Value, ok
}

// GetAll returns all values of key in order of increasing precedence.
func (c *Config) GetAll(key string) []string {
	var all []string
	key = canonicalKey(key)
	for _, e := range c.entries {
		if e.Key == key {
			all = append(all, e.Value)
		}
	}
	return all
}

// Keys returns the names of all settings, section and name in lower case; a setting with several values several times.
func (c *Config) Keys() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, e := range c.entries {
			if !yield(e.Key) {
				return
			}
		}
	}
}

// Strongest returns the values of key in the scope with the highest precedence that sets it, in the order of its file: a list in
// the repository replaces one of the user's.
func (c *Config) Strongest(key string) []string {
	last, ok := c.last(key)
	if !ok {
		return nil
	}
	var values []string
	for _, e := range c.entries {
		if e.Key == last.Key && e.scope == last.scope {
			values = append(values, e.Value)
		}
	}
	return values
}

// Bool returns the last value of key as git reads truth values, or def where the key is not set. The error is
// ErrConfig.
func (c *Config) Bool(key string, def bool) (bool, error) {
	e, ok := c.last(key)
	if !ok {
		return def, nil
	}
	return e.Bool()
}

// Promisors returns the remotes of a partial clone that have promised the missing objects.
func (c *Config) Promisors() []string {
	var names []string
	if name, ok := c.Get("extensions.partialClone"); ok && name != "" {
		names = append(names, name)
	}
	for _, e := range c.entries {
		name, found := strings.CutPrefix(e.Key, "remote.")
		name, isPromise := strings.CutSuffix(name, ".promisor")
		if yes, err := e.Bool(); found && isPromise && yes && err == nil && (len(names) == 0 || name != names[0]) {
			names = append(names, name)
		}
	}
	return names
}

// HasUncertainIdentity reports whether a conditional include that was not evaluated sets the user's identity.
func (c *Config) HasUncertainIdentity() bool { return c.identityUncertain }

func (c *Config) last(key string) (Entry, bool) {
	key = canonicalKey(key)
	for i := len(c.entries) - 1; i >= 0; i-- {
		if c.entries[i].Key == key {
			return c.entries[i], true
		}
	}
	return Entry{}, false
}

// canonicalKey converts section and name to lower case and keeps the subsection.
func canonicalKey(key string) string {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first < 0 {
		return strings.ToLower(key)
	}
	section, name := strings.ToLower(key[:first]), strings.ToLower(key[last:])
	if section == key[:first] && name == key[last:] { // as usual
		return key
	}
	return section + key[first:last] + name
}

// Bool reads the value as git does: no value is true, an empty one false, numbers by their value.
func (e Entry) Bool() (bool, error) {
	if e.bare {
		return true, nil
	}
	switch strings.ToLower(e.Value) {
	case "true", "yes", "on":
		return true, nil
	case "false", "no", "off", "":
		return false, nil
	}
	n, err := strconv.ParseInt(strings.TrimRight(e.Value, "kKmMgG"), 0, 64)
	if err != nil {
		return false, fmt.Errorf("%w %s %q: want true or false", ErrConfig, e.Key, e.Value)
	}
	return n != 0, nil
}

// isIdentity reports whether key is part of the user's identity.
func isIdentity(key string) bool {
	return strings.HasPrefix(key, "user.") || strings.HasPrefix(key, "author.") || strings.HasPrefix(key, "committer.")
}

// matters reports whether this program depends on key. A conditional include that only has other settings, such as
// user.email, is not worth starting git for.
func matters(key string) bool {
	switch key {
	case "core.autocrlf", "core.eol", "core.attributesfile", "core.sharedrepository", "core.fsync",
		"core.fsyncobjectfiles", "core.filemode", "core.symlinks", "core.ignorecase", "core.bare", "core.worktree",
		"core.sparsecheckout", "core.hookspath", "commit.gpgsign", "attr.tree", "color.ui":
		return true
	}
	return strings.HasPrefix(key, "ralph.") || strings.HasPrefix(key, "extensions.") ||
		strings.HasPrefix(key, "include.") || strings.HasPrefix(key, "includeif.")
}
