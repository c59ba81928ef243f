package mmap

// Data is a file's content. It is read, not mapped: Windows would not let anybody replace the file meanwhile.
type Data []byte

// Open reads a file. The errors are ErrNothing, ErrTooLarge and those of the file
// system.
func Open(path string) (Data, error) { return Read(path) }

// Close does nothing.
func (d Data) Close() {}
