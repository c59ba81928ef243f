package api

import (
	"encoding/json"
	"os"
	"path/filepath"

	"git-ralph/internal/safefile"
	"git-ralph/internal/sha256"
)

// A cache has the last replies to queries, by URL. GitHub counts no request that it answers with "not modified". Losing the cache costs requests.
type cache struct{ dir string }

// A kept reply is one that GitHub may confirm.
type kept struct {
	URL  string `json:"url"`
	ETag string `json:"etag"`
	Link string `json:"link,omitempty"`
	Body []byte `json:"body"`
}

// maxKept is how many replies there are before all are forgotten.
const maxKept = 500

func (c cache) name(url string) string { return sha256.Hex(url)[:32] + ".json" }

func (c cache) get(url string) (k kept, ok bool) {
	if c.dir == "" {
		return k, false
	}
	text, err := os.ReadFile(filepath.Join(c.dir, c.name(url)))
	if err != nil || json.Unmarshal(text, &k) != nil || k.URL != url || k.ETag == "" {
		return kept{}, false
	}
	return k, true
}

// put keeps a reply. Where that fails, the next query is answered in full.
func (c cache) put(k kept) {
	if c.dir == "" || k.ETag == "" {
		return
	}
	text, err := json.Marshal(k)
	if err != nil || os.MkdirAll(c.dir, 0o700) != nil {
		return
	}
	if all, err := os.ReadDir(c.dir); err == nil && len(all) >= maxKept {
		for _, old := range all {
			os.Remove(filepath.Join(c.dir, old.Name())) //nolint:errcheck // another process may have removed it
		}
	}
	safefile.WriteCached(c.dir, c.name(k.URL), text, 0o600) //nolint:errcheck // see above
}
