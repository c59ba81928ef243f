//go:build unix

package proc

import "syscall"

// Replace runs a program in the place of this process, which thereby has our streams, our signals and our process id. It returns only
// where the program cannot be started.
func Replace(path string, args, env []string) (code int, err error) {
	return -1, syscall.Exec(path, append([]string{path}, args...), env)
}
