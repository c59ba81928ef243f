package git

import "strings"

// maxPaths is how many paths git is given in one command line at most. Beyond it systems may refuse the line, and git compares
// each file with each path.
const maxPaths = 1000

// maxPathBytes is how long these may be together: a line of 32 KiB is too long on Windows.
const maxPathBytes = 24 << 10

// TooManyForArgs reports whether paths are too many for a command line.
func TooManyForArgs(paths []string) bool {
	n := 0
	for _, p := range paths {
		n += len(p) + 1
	}
	return len(paths) > maxPaths || n > maxPathBytes
}

// belowAny returns a function that reports whether a path is one of some, or lies below one.
func belowAny(some []string) func(path string) bool {
	set := make(map[string]bool, len(some))
	for _, p := range some {
		set[strings.TrimSuffix(p, "/")] = true
	}
	return func(path string) bool {
		path = strings.TrimSuffix(path, "/")
		for i := range len(path) {
			if path[i] == '/' && set[path[:i]] {
				return true
			}
		}
		return set[path]
	}
}
