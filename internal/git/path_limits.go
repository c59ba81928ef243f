package git

import "strings"

// maxPaths is how many paths one command line may have. With more, the system may refuse the command line, and git is slow,
// because it compares each file with each path.
const maxPaths = 1000

// maxPathBytes is the maximum length of all of them together: Windows limits a command line to 32 KiB.
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
