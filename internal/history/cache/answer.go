package cache

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An answer is what a command printed. Its file names the question and the state of the repository that it holds for,
// and ends with a checksum:
//
//	magic, length of question and state, both, answer, checksum

const (
	answerMagic  = "ralphans"
	answerHead   = len(answerMagic) + 4
	answerSuffix = ".answer"

	maxAnswers    = 16
	maxAnswerSize = 16 << 20
)

func answerFile(question string) string {
	return fmt.Sprintf("%08x%s", crc32.ChecksumIEEE([]byte(question)), answerSuffix)
}

// Answer returns the stored answer to a question in this state; nil where there is none. The bytes are the file's: they must not
// be changed. With copies, the file is read, not mapped.
func Answer(dir, question, state string, copies bool) []byte {
	data, err := open(filepath.Join(dir, answerFile(question)), copies)
	if err != nil {
		return nil
	}
	if text, ok := parseAnswer(data, question+state); ok {
		return text
	}
	release(data, copies)
	return nil
}

// parseAnswer returns the answer in a file, if it is whole and is the answer to that question and state.
func parseAnswer(data []byte, key string) (text []byte, ok bool) {
	if len(data) < answerHead+len(key)+sumSize || string(data[:len(answerMagic)]) != answerMagic {
		return nil, false
	}
	body := data[:len(data)-sumSize]
	if int(number(data[len(answerMagic):], 0)) != len(key) || string(data[answerHead:][:len(key)]) != key {
		return nil, false
	}
	return body[answerHead+len(key):], number(data[len(body):], 0) == checksum(body)
}

// An AnswerWriter stores an answer in the cache while it is printed.
type AnswerWriter struct{ file *fileWriter }

// NewAnswer begins to store an answer. An error says why it cannot be stored, and does no harm.
func NewAnswer(dir, question, state string) (*AnswerWriter, error) {
	return newAnswer(dir, answerFile(question), question+state)
}

func newAnswer(dir, name, key string) (*AnswerWriter, error) {
	file, err := newFileWriter(dir, name, maxAnswerSize)
	if err != nil {
		return nil, err
	}
	file.write(put([]byte(answerMagic), len(key)))
	file.write([]byte(key))
	return &AnswerWriter{file}, nil
}

// Write adds to the answer. It does not fail: Keep returns what did.
func (a *AnswerWriter) Write(text []byte) (int, error) {
	a.file.write(text)
	return len(text), nil
}

// Keep stores the answer, and removes the oldest one if there are too many.
func (a *AnswerWriter) Keep() error {
	if err := a.file.finish(); err != nil {
		return err
	}
	return sweepAnswers(a.file.dir)
}

// Drop discards the answer.
func (a *AnswerWriter) Drop() { a.file.drop() }

// sweepAnswers takes away the oldest answers where there are too many, and what killed processes left behind.
func sweepAnswers(dir string) error {
	type aged struct {
		name string
		at   time.Time
	}
	var all []aged
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if isLeft(e) {
			os.Remove(filepath.Join(dir, e.Name())) //nolint:errcheck // a later run does
		}
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), answerSuffix) {
			all = append(all, aged{e.Name(), info.ModTime()})
		}
	}
	if len(all) <= maxAnswers {
		return err
	}
	slices.SortFunc(all, func(a, b aged) int { return a.at.Compare(b.at) })
	for _, a := range all[:len(all)-maxAnswers] {
		if err := os.Remove(filepath.Join(dir, a.name)); err != nil {
			return err
		}
	}
	return nil
}
