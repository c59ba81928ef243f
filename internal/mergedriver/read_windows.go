package mergedriver

import "os"

// readPrivate reads a file that nobody else changes while this process lives.
// It is not mapped: Windows would not let it be replaced then.
func readPrivate(name string) ([]byte, error) { return os.ReadFile(name) }
