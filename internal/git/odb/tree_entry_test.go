package odb

import (
	"bytes"
	"testing"
)

// An entry is found by its whole name: one whose name ends with a blank and the same word is another.
func TestFindEntryByWholeName(t *testing.T) {
	id := bytes.Repeat([]byte{1}, 20)
	other := bytes.Repeat([]byte{2}, 20)
	tree := append([]byte("100644 read me\x00"), id...)
	if e, ok, err := FindEntry(tree, "me", 20); ok || err != nil {
		t.Errorf("found %q, %v", e.Name, err)
	}
	tree = append(append(tree, "100644 z me\x00"...), other...)
	if e, ok, err := FindEntry(tree, "z me", 20); !ok || err != nil || !bytes.Equal(e.ID, other) {
		t.Errorf("found %q, %v", e.Name, err)
	}
}
