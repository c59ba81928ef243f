package cache

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/mmap"
)

// An answer is what a command printed. Its file names the question and the state of the repository in which it was asked,
// and ends with a checksum:
//
//	magic, lengths of both texts, question and state, answer, checksum

const (
	answerMagic  = "ralphans"
	answerHead   = len(answerMagic) + 8
	answerSuffix = ".answer"

	mostAnswers   = 16
	longestAnswer = 16 << 20
)

func answerFile(question string) string {
	return fmt.Sprintf("%08x%s", crc32.ChecksumIEEE([]byte(question)), answerSuffix)
}

// Answer returns what was answered to a question when all was as it is now; nil where nothing is kept. The bytes are the
// file's: they must not be changed.
func Answer(dir, question, state string) []byte {
	data, err := mmap.Open(filepath.Join(dir, answerFile(question)))
	if err != nil {
		return nil
	}
	if text, ok := opened(data, question+state); ok {
		return text
	}
	data.Close()
	return nil
}

// opened returns the answer in a file, if it is whole and answers what is asked.
func opened(data []byte, asked string) (text []byte, ok bool) {
	if len(data) < answerHead+len(asked)+sumSize || string(data[:len(answerMagic)]) != answerMagic {
		return nil, false
	}
	head := data[len(answerMagic):]
	text = data[answerHead+len(asked) : len(data)-sumSize]
	if int(number(head, 0)) != len(asked) || int(number(head, 1)) != len(text) || string(data[answerHead:][:len(asked)]) != asked {
		return nil, false
	}
	return text, number(data[len(data)-sumSize:], 0) == checksum(data[:len(data)-sumSize])
}

// sealed makes the file of an answer.
func sealed(asked string, text []byte) []byte {
	data := make([]byte, 0, answerHead+len(asked)+len(text)+sumSize)
	data = put(put(append(data, answerMagic...), len(asked)), len(text))
	data = append(append(data, asked...), text...)
	return put(data, int(checksum(data)))
}

// KeepAnswer keeps an answer, in the place of the one that was kept longest if there are many. The error says why it could
// not; it does no harm.
func KeepAnswer(dir, question, state string, text []byte) error {
	if len(text) > longestAnswer {
		return errTooLarge
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := write(dir, answerFile(question), sealed(question+state, text)); err != nil {
		return err
	}
	return sweepAnswers(dir)
}

// sweepAnswers takes away the oldest answers where there are too many.
func sweepAnswers(dir string) error {
	type aged struct {
		name string
		at   time.Time
	}
	var all []aged
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), answerSuffix) {
			all = append(all, aged{e.Name(), info.ModTime()})
		}
	}
	if len(all) <= mostAnswers {
		return err
	}
	slices.SortFunc(all, func(a, b aged) int { return a.at.Compare(b.at) })
	for _, a := range all[:len(all)-mostAnswers] {
		if err := os.Remove(filepath.Join(dir, a.name)); err != nil {
			return err
		}
	}
	return nil
}
