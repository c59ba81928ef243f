package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// lines is the plan on disk, line ends included.
func (s *scenario) lines() []string {
	text, err := os.ReadFile(filepath.Join(s.dir, s.version.path))
	if err != nil {
		return nil
	}
	return slices.Collect(strings.Lines(string(text)))
}

// object is a line as encoding/json sees it, values as they are spelled: deliberately not this project's own codec.
type object map[string]json.RawMessage

func parseLine(line string) object {
	var o object
	if json.Unmarshal([]byte(line), &o) != nil {
		return nil
	}
	return o
}

// text is a member that is a string, else "".
func (o object) text(name string) string {
	var s string
	if json.Unmarshal(o[name], &s) != nil {
		return ""
	}
	return s
}

// touched reports whether the step may change this record.
func (st step) touched(o object) bool {
	switch o.text("t") {
	case "spec":
		return st.spec
	case "task", "issue":
		return st.id != "" && o.text("id") == st.id
	}
	return false
}

// compare fails if a record changed that is not the step's business, or in its own record another field than the
// step's. Records that the step adds are not looked at.
func compare(before, after []string, st step) error {
	at := 0
	var changed []string
	for _, line := range before {
		if st.touched(parseLine(line)) {
			changed = append(changed, line)
			continue
		}
		// A last line without line end may be given one.
		i := slices.IndexFunc(after[at:], func(s string) bool { return s == line || s == line+"\n" })
		if i < 0 {
			return fmt.Errorf("this line is gone, changed or elsewhere: %s", line)
		}
		at += i + 1
	}
	for _, line := range changed {
		if err := compareTouched(parseLine(line), after, st); err != nil {
			return err
		}
	}
	return nil
}

// compareTouched finds the same record afterwards, if it is still there, and compares the fields that were not to
// change, byte for byte.
func compareTouched(was object, after []string, st step) error {
	for _, line := range after {
		is := parseLine(line)
		if is.text("t") != was.text("t") || is.text("id") != was.text("id") {
			continue
		}
		for name, value := range was {
			if !slices.Contains(st.fields, name) && string(is[name]) != string(value) {
				return fmt.Errorf("the field %s of %s was %s and is %s", name, was.text("id"), value, is[name])
			}
		}
	}
	return nil
}
