package git

import (
	"os"
	"runtime"
	"runtime/pprof"
	"testing"
	"time"
	"fmt"

	"git-ralph/internal/git/odb"
)

func TestSpeedX(t *testing.T) {
	dir := os.Getenv("SPEED")
	if dir == "" { t.Skip() }
	if p := os.Getenv("PROF"); p != "" { f, _ := os.Create(p); pprof.StartCPUProfile(f); defer pprof.StopCPUProfile() }
	for range 5 {
		start := time.Now()
		s, err := odb.Open(dir+"/objects", 20, nil)
		if err != nil { t.Fatal(err) }
		g, err := s.Graph()
		if err != nil { t.Fatal(err) }
		var tip Hash
		text, _ := os.ReadFile(dir+"/packed-refs")
		_ = text
		w := &storeWalk{store: s, reader: s.Reader(), graph: g}
		w.size = 20
		w.request.Paths = []string{"ralph/plan.jsonl"}
		for _, l := range splitLines(string(text)) { if len(l) > 41 && l[0] != '#' && l[0] != '^' { fmt.Sscanf(l[:40], "%x", &tip2); copy(tip[:], tip2); w.request.Tips = append(w.request.Tips, tip) } }
		gr, err := w.walk()
		if err != nil { t.Fatal(err) }
		changed := 0
		for _, c := range gr.Commits { diff := true; for _, p := range c.Parents { if gr.Commits[p].Plan == c.Plan { diff = false } }; if diff { changed++ } }
		var m runtime.MemStats; runtime.ReadMemStats(&m)
		t.Log(time.Since(start), len(gr.Commits), len(gr.Missing), changed, m.Sys>>20, m.HeapSys>>20, m.TotalAlloc>>20, m.NumGC)
		s.Close()
	}
}
var tip2 []byte
func splitLines(s string) (out []string) { for len(s) > 0 { i := 0; for i < len(s) && s[i] != '\n' { i++ }; out = append(out, s[:i]); s = s[min(i+1, len(s)):] }; return }
