package install

import "io/fs"

// isRunnable reports whether git runs a hook of this kind: it looks at no permissions here.
func isRunnable(fs.FileInfo) bool { return true }
