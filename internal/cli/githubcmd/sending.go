package githubcmd

import (
	"encoding/json"
	"os"
	"path/filepath"

	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
	"git-ralph/internal/sha256"
)

// sendingName is the file that says, while items are sent, what of: by their ids what mirror.Sender.Expected returns.
func (s *session) sendingName() string { return "sending-" + sha256.Hex(s.target.Web())[:16] + ".json" }

// lastSending returns what a run that was killed had begun to send.
func (s *session) lastSending() map[string]string {
	var sending map[string]string
	if text, err := os.ReadFile(filepath.Join(s.dir, s.sendingName())); err == nil {
		json.Unmarshal(text, &sending) //nolint:errcheck // what is broken says nothing
	}
	return sending
}

// keepSending writes what is about to be sent.
func (x *pushing) keepSending(items []plan.Record) error {
	sending := map[string]string{}
	for _, it := range items {
		item, _ := x.plan.Item(it.ID())
		if expected := x.sender.Expected(item); expected != "" {
			sending[item.ID()] = expected
		}
	}
	if len(sending) == 0 || x.options.DryRun {
		return nil
	}
	text, err := json.Marshal(sending)
	if err != nil {
		return err
	}
	return safefile.WriteCached(x.dir, x.sendingName(), text, 0o600)
}

// forgetSending is called when all that was sent is recorded.
func (s *session) forgetSending() {
	if !s.options.DryRun {
		os.Remove(filepath.Join(s.dir, s.sendingName())) //nolint:errcheck // mostly there is none
	}
}
