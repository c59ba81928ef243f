package mergedriver

import "os"

// noFollow: Windows opens links of this kind all the same.
const noFollow = 0

func openPlain(name string, flag int) (*os.File, error) { return os.OpenFile(name, flag, 0o600) }

// readPrivate reads a file that nobody else changes while this process lives.
// It is not mapped: Windows would not let it be replaced then.
func readPrivate(name string) ([]byte, error) { return os.ReadFile(name) }
