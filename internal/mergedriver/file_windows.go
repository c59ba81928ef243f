package mergedriver

import "os"

// noFollow: on Windows, symbolic links are followed.
const noFollow = 0

func openPlain(name string, flag int) (*os.File, error) { return os.OpenFile(name, flag, 0o600) }

// readPrivate reads a file that nobody else changes while this process lives.
// It is not mapped: Windows does not replace a mapped file.
func readPrivate(name string) ([]byte, error) { return os.ReadFile(name) }
