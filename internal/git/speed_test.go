package git

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestSpeedX(t *testing.T) {
	dir := os.Getenv("SPEED")
	if dir == "" { t.Skip() }
	if p := os.Getenv("PROF"); p != "" { f, _ := os.Create(p); pprof.StartCPUProfile(f); defer pprof.StopCPUProfile() }
	var last *Graph
	for i := range 5 {
		os.Setenv("GIT_DIR", dir)
		repo, err := Open(context.Background(), dir, os.Environ())
		if err != nil { t.Fatal(err) }
		start := time.Now()
		w := Walker(repo.StoreWalker())
		if i == 4 { w = repo.ProgramWalker(context.Background()) }
		tips, err := w.Tips()
		if err != nil { t.Fatal(err) }
		t0 := time.Since(start)
		req := Request{Paths: []string{"ralph/plan.jsonl"}}
		for _, t := range tips { req.Tips = append(req.Tips, t.ID) }
		gr, err := w.Walk(req)
		if err != nil { t.Fatal(err) }
		t1 := time.Since(start)
		seen := map[Hash]bool{}
		var ids []Hash
		for _, c := range gr.Commits { if !seen[c.Plan] && !c.Plan.IsZero() { seen[c.Plan] = true; ids = append(ids, c.Plan) } }
		var n, total atomic.Int64
		t2 := time.Since(start)
		if err := w.Blobs(ids, 2, func(i int, b []byte, err error) error { n.Add(1); total.Add(int64(len(b))); return err }); err != nil { t.Fatal(err) }
		t3 := time.Since(start)
		var m runtime.MemStats; runtime.ReadMemStats(&m)
		status, _ := os.ReadFile("/proc/self/status")
		rss := ""
		for l := range strings.Lines(string(status)) { if strings.HasPrefix(l, "RssAnon") { rss = strings.Join(strings.Fields(l)[1:], "") } }
		t.Log(t0, t1-t0, "blobs", t3-t2, n.Load(), total.Load()>>20, "commits", len(gr.Commits), len(gr.Missing), m.Sys>>20, m.TotalAlloc>>20, m.NumGC, rss)
		if last != nil && !reflect.DeepEqual(gr, last) { t.Error("differs"); for i := range gr.Commits { if !reflect.DeepEqual(gr.Commits[i], last.Commits[i]) { fmt.Println(i, gr.Commits[i], last.Commits[i]); break } } }
		last = gr
		w.Close()
	}
}
