package commit

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
)

// identity returns "name <address> seconds zone" for role ("author" or "committer") as git would. It is not ok if git would do
// more than copy what is set: clean a name, ask the system for one, parse a date, or fail.
func identity(r *git.Repo, settings *config.Config, role string, now time.Time) (string, bool) {
	if settings.HasUncertainIdentity() {
		return "", false
	}
	variable := "GIT_" + strings.ToUpper(role) + "_"
	if _, ok := config.Getenv(r.Git().Environ, variable+"DATE"); ok {
		return "", false
	}
	name, ok := identityPart(r, settings, variable+"NAME", role+".name", "user.name")
	if !ok {
		return "", false
	}
	address, ok := identityPart(r, settings, variable+"EMAIL", role+".email", "user.email")
	if !ok {
		return "", false
	}
	return name + " <" + address + "> " + strconv.FormatInt(now.Unix(), 10) + now.Format(" -0700"), true
}

// AuthorAddress returns the address of the author that `git commit` would name now, "" where git would refuse to
// commit.
func AuthorAddress(ctx context.Context, r *git.Repo) string {
	settings, err := r.Config(ctx)
	if err != nil {
		return ""
	}
	if author, ok := identity(r, settings, "author", time.Time{}); ok {
		return addressOf(author)
	}
	author, err := r.Git().Run(ctx, nil, "var", "GIT_AUTHOR_IDENT")
	if err != nil {
		return ""
	}
	return addressOf(author)
}

func addressOf(identity string) string {
	_, rest, _ := strings.Cut(identity, "<")
	address, _, _ := strings.Cut(rest, ">")
	return address
}

// identityPart finds a name or address: the environment first, then the role's own setting, then the user's.
func identityPart(r *git.Repo, settings *config.Config, variable string, keys ...string) (string, bool) {
	if v, ok := config.Getenv(r.Git().Environ, variable); ok {
		return v, plainIdentity(v)
	}
	for _, key := range keys {
		if v, ok := settings.Get(key); ok {
			return v, plainIdentity(v)
		}
	}
	return "", false
}

// plainIdentity reports whether git uses s unchanged: it removes some characters at the ends and others anywhere.
func plainIdentity(s string) bool {
	const cutOff = `.,:;<>"\'`
	if s == "" || !utf8.ValidString(s) || strings.ContainsAny(s, "<>\n\x00\x7f") {
		return false
	}
	for _, c := range []byte{s[0], s[len(s)-1]} {
		if c <= ' ' || strings.IndexByte(cutOff, c) >= 0 {
			return false
		}
	}
	return strings.IndexFunc(s, func(c rune) bool { return c < ' ' }) < 0
}

// localTime returns the time in the user's zone; not ok if TZ has a form that only the C library reads.
func localTime(r *git.Repo) (time.Time, bool) {
	zone, ok := config.Getenv(r.Git().Environ, "TZ")
	if !ok {
		return time.Now(), true
	}
	location, err := time.LoadLocation(strings.TrimPrefix(zone, ":"))
	if err != nil {
		return time.Time{}, false
	}
	return time.Now().In(location), true
}

// plainCommit returns the text of a commit; not ok if git would do more than copy what is given: the identity is not plain, the
// message is not UTF-8, or ids are not SHA-1.
func plainCommit(r *git.Repo, settings *config.Config, root string, parents []string, message string) ([]byte, bool) {
	now, ok := localTime(r)
	if !ok || r.ObjectFormat() != "sha1" || !utf8.ValidString(message) || strings.IndexByte(message, 0) >= 0 {
		return nil, false
	}
	author, ok := identity(r, settings, "author", now)
	if !ok {
		return nil, false
	}
	committer, ok := identity(r, settings, "committer", now)
	if !ok {
		return nil, false
	}
	text := "tree " + root + "\n"
	for _, parent := range parents {
		text += "parent " + parent + "\n"
	}
	text += "author " + author + "\ncommitter " + committer + "\n\n" + message
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return []byte(text), true
}
