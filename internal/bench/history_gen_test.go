package main

import (
	"context"
	"testing"
)

func TestGen(t *testing.T) {
	l, err := newLab(context.Background(), "/bin/true", 1)
	if err != nil { t.Fatal(err) }
	for _, g := range []string{"", "graph", "bloom"} {
		dir, err := l.history(context.Background(), 100000, g)
		t.Log(dir, err)
	}
}
