package git

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

func BenchmarkLoose(b *testing.B) {
	dir := b.TempDir()
	os.Mkdir(dir+"/objects", 0o777)
	r := &Repo{commonDir: dir, format: "sha1"}
	cfg := &Config{}
	n := time.Now().UnixNano()
	for b.Loop() {
		n++
		if _, err := r.writeLoose(cfg, plumbing.BlobObject, []byte(fmt.Sprint(n))); err != nil {
			b.Fatal(err)
		}
	}
}
