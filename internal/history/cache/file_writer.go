package cache

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A fileWriter writes a file, which in the end exists completely or not at all. The file ends with a checksum, which shows
// whether it is complete should the machine crash.
type fileWriter struct {
	*bufio.Writer
	dir, name string
	file      *os.File
	sum       hash.Hash32
	size      int64 // bytes written so far, those that wait included
	maxSize   int64
}

// errTooLarge: what was found is too large to be kept.
var errTooLarge = errors.New("too large to keep")

const (
	partSuffix = ".part"
	partBuffer = 1 << 16
)

// newFileWriter begins a file of at most so many bytes.
func newFileWriter(dir, name string, maxSize int64) (*fileWriter, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("%s-%08x%s", name, rand.Uint32(), partSuffix)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	p := &fileWriter{dir: dir, name: name, file: file, sum: crc32.NewIEEE(), maxSize: maxSize}
	p.Writer = bufio.NewWriterSize(io.MultiWriter(file, p.sum), partBuffer)
	return p, nil
}

// write adds bytes; the error is returned by finish.
func (p *fileWriter) write(data []byte) {
	p.size += int64(len(data))
	if p.size <= p.maxSize {
		p.Write(data)
	}
}

// finish renames the file to its name.
func (p *fileWriter) finish() error {
	err := p.Flush()
	if p.size > p.maxSize {
		err = errTooLarge
	}
	if err == nil {
		_, err = p.file.Write(binary.LittleEndian.AppendUint32(nil, p.sum.Sum32()))
	}
	err = errors.Join(err, p.file.Close())
	if err == nil {
		err = os.Rename(p.file.Name(), filepath.Join(p.dir, p.name))
	}
	if err != nil {
		os.Remove(p.file.Name()) //nolint:errcheck // the first error is returned
	}
	return err
}

// drop removes the file.
func (p *fileWriter) drop() {
	p.file.Close()           //nolint:errcheck // nobody will read it
	os.Remove(p.file.Name()) //nolint:errcheck // a later run does
}

// partAge is the age at which a file that nobody finished is removed.
const partAge = time.Hour

// isLeft reports whether a file is one that a killed process left behind.
func isLeft(e os.DirEntry) bool {
	if !strings.HasSuffix(e.Name(), partSuffix) {
		return false
	}
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) > partAge
}
