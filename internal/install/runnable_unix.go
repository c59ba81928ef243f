//go:build !windows

package install

import "io/fs"

// isRunnable reports whether git runs a hook of this kind.
func isRunnable(info fs.FileInfo) bool { return info.Mode().Perm()&0o111 != 0 }
