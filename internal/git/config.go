package git

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrConfig: a setting has a value that it cannot have.
var ErrConfig = errors.New("bad configuration value")

// Config is the configuration that git itself would use in the repository. It answers for the settings of ralph and for
// those that this package uses (see matters); for others a conditional include may have been left out.
type Config struct {
	entries       []entry
	identityDoubt bool // a conditional include may say who the user is
}

// Get gives the last value of key, e.g. "ralph.plan" or "remote.origin.url". Case counts in the subsection only.
// A name without a value reads as "".
func (c *Config) Get(key string) (string, bool) {
	e, ok := c.last(key)
	return e.value, ok
}

// GetAll gives all values of key, the strongest last.
func (c *Config) GetAll(key string) []string {
	var all []string
	key = canonicalKey(key)
	for _, e := range c.entries {
		if e.key == key {
			all = append(all, e.value)
		}
	}
	return all
}

// Strongest gives the values of key in the strongest scope that sets it, in the order in which they stand there: a list
// in the repository replaces one of the user's.
func (c *Config) Strongest(key string) []string {
	last, ok := c.last(key)
	if !ok {
		return nil
	}
	var values []string
	for _, e := range c.entries {
		if e.key == last.key && e.scope == last.scope {
			values = append(values, e.value)
		}
	}
	return values
}

// Bool gives the last value of key as git reads truth values, or def where the key is not set. The error is ErrConfig.
func (c *Config) Bool(key string, def bool) (bool, error) {
	e, ok := c.last(key)
	if !ok {
		return def, nil
	}
	return e.bool()
}

func (c *Config) last(key string) (entry, bool) {
	key = canonicalKey(key)
	for i := len(c.entries) - 1; i >= 0; i-- {
		if c.entries[i].key == key {
			return c.entries[i], true
		}
	}
	return entry{}, false
}

// canonicalKey lowers section and name and leaves what stands between.
func canonicalKey(key string) string {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first < 0 {
		return strings.ToLower(key)
	}
	return strings.ToLower(key[:first]) + key[first:last] + strings.ToLower(key[last:])
}

// bool reads the value as git does: no value is true, an empty one false, numbers by their value.
func (e entry) bool() (bool, error) {
	if e.bare {
		return true, nil
	}
	switch strings.ToLower(e.value) {
	case "true", "yes", "on":
		return true, nil
	case "false", "no", "off", "":
		return false, nil
	}
	n, err := strconv.ParseInt(strings.TrimRight(e.value, "kKmMgG"), 0, 64)
	if err != nil {
		return false, fmt.Errorf("%w: %s is %q, not true or false", ErrConfig, e.key, e.value)
	}
	return n != 0, nil
}

// tellsIdentity tells whether key says who the user is.
func tellsIdentity(key string) bool {
	return strings.HasPrefix(key, "user.") || strings.HasPrefix(key, "author.") || strings.HasPrefix(key, "committer.")
}

// matters tells whether an answer of this program depends on key. Settings that only git's own commands use, such as
// user.email, may stand in conditional includes that are not worth a process.
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
