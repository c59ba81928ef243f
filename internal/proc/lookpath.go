package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// LookPath finds a program on the PATH of env, or of this process if env is nil or has no PATH. The error wraps
// exec.ErrNotFound. Windows has its own rules for what is executable; there it always uses the PATH of this process.
func LookPath(name string, env []string) (string, error) {
	list, ok := lookup(env, "PATH")
	if !ok || runtime.GOOS == "windows" || strings.ContainsRune(name, filepath.Separator) {
		return exec.LookPath(name)
	}
	for _, dir := range filepath.SplitList(list) {
		path := filepath.Join(dir, name)
		if filepath.IsAbs(path) && executable(path) {
			return path, nil
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}

func lookup(env []string, key string) (string, bool) {
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, key+"="); ok {
			return v, true
		}
	}
	return "", false
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}
