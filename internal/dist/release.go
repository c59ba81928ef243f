package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/proc"
)

// release is what is built.
type release struct {
	version    string    // as git describes the commit: v1.2.3, v1.2.3-4-g0123456789ab, 0123456789ab; with -dirty where files differ from it
	commit     string    // its full name
	date       time.Time // of every file in the release
	maintainer string    // NAME <ADDRESS>, in the packages
}

// readRelease describes the commit that is checked out in the working directory. A commit is named by twelve digits, because the
// number that git chooses depends on the clone.
func readRelease(ctx context.Context, maintainer string) (release, error) {
	described, err := output(ctx, "git", "describe", "--tags", "--match=v[0-9]*", "--always", "--abbrev=12")
	if err != nil {
		return release{}, fmt.Errorf("a release is built in a clone of the repository: %w", err)
	}
	changes, err := output(ctx, "git", "status", "--porcelain")
	if err != nil {
		return release{}, err
	}
	if changes != "" {
		described += "-dirty"
	}
	facts, err := output(ctx, "git", "log", "-1", "--format=%H%n%ct%n%cn <%ce>")
	if err != nil {
		return release{}, err
	}
	lines := strings.Split(facts, "\n")
	if len(lines) != 3 {
		return release{}, fmt.Errorf("git describes the commit as %q", facts)
	}
	if maintainer == "" {
		maintainer = lines[2]
	}
	date, err := dateOf(os.Getenv("SOURCE_DATE_EPOCH"), lines[1])
	return release{version: described, commit: lines[0], date: date, maintainer: maintainer}, err
}

// dateOf reads the date of the release, in seconds since 1970: value, or where that is "" the date of the commit.
func dateOf(value, committed string) (time.Time, error) {
	if value == "" {
		value = committed
	}
	seconds, err := strconv.ParseInt(value, 10, 64)
	if err != nil || seconds < 0 {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is %q, not a number of seconds since 1970", value)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// number is the version in the names of files.
func (r release) number() string {
	if len(r.version) > 1 && r.version[0] == 'v' && '0' <= r.version[1] && r.version[1] <= '9' {
		return r.version[1:]
	}
	return r.version
}

// packageVersion is the version as Debian and RPM order versions: v1.2.0-rc.1 becomes 1.2.0~rc.1, which comes before 1.2.0, and
// fourteen commits after a release become 1.2.0+14.g0123456789ab. A commit without a release before it comes before all releases.
func (r release) packageVersion() string {
	version, dirty := strings.CutSuffix(r.version, "-dirty")
	parts := regexp.MustCompile(`^v(\d[0-9.]*)(?:-([0-9A-Za-z.]+))?(?:-(\d+)-(g[0-9a-f]+))?$`).FindStringSubmatch(version)
	var s string
	switch {
	case parts == nil:
		s = "0~" + r.date.Format("20060102.150405") + "." + regexp.MustCompile(`[^0-9A-Za-z.]+`).ReplaceAllString(version, ".")
	default:
		s = parts[1]
		if parts[2] != "" {
			s += "~" + parts[2]
		}
		if parts[3] != "" {
			s += "+" + parts[3] + "." + parts[4]
		}
	}
	if dirty {
		s += "+dirty"
	}
	return s
}

// output runs a program in the source tree and returns the lines that it prints, without the last line's end.
func output(ctx context.Context, name string, args ...string) (string, error) {
	return outputIn(ctx, environ(platform{runtime.GOOS, runtime.GOARCH}), name, args...)
}

func outputIn(ctx context.Context, env []string, name string, args ...string) (string, error) {
	result, err := proc.Run(ctx, proc.Cmd{Name: name, Args: args, Env: env})
	if err != nil {
		return "", errors.Join(err, ctx.Err())
	}
	return strings.TrimSuffix(string(result.Stdout), "\n"), nil
}

// environ is the environment of programs that build for p: what changes their output is set. Go takes an empty variable for one that
// is not set, and then its value from the user's settings.
func environ(p platform) []string {
	return append(os.Environ(),
		"GOOS="+p.os, "GOARCH="+p.arch, "GOAMD64=v1", "GOARM64=v8.0", "CGO_ENABLED=0", "GOFLAGS=-trimpath", "GOFIPS140=off", "GOWORK=off",
		"LC_ALL=C", "TZ=UTC")
}
