package report

import (
	"cmp"

	"git-ralph/internal/jsonl"
)

// A Document is the report on a task of an item that is done by writing a document, or by deciding something, and not by code.
type Document struct {
	Build                // its Files are the document alone
	Artifact    string   // the path of the document
	Modifies    []string // files that the work on the item will modify, as research found
	Verdict     string   // of a review
	Action      string   // of triage: the state that the item goes on in
	Estimate    string   // of the item's size, as triage found
	NewSubItems []jsonl.Object
}

// Document reads {"artifact", "files", "verdict", "reason", "action", "estimate", "items": [{"id", "name", "desc", "estimate", "files",
// "blocked_by"}], "summary", "issues"}, of which each step has some. {"verdict": "blocked", "reason"} is that of Build.
func (r Report) Document() (d Document, err error) {
	d.Verdict, d.Summary, d.Reason, d.Artifact = r.text("verdict"), r.text("summary"), r.text("reason"), r.text("artifact")
	d.Action, d.Estimate, d.Blocked = cmp.Or(r.text("action"), d.Verdict), r.text("estimate"), d.Verdict == "blocked"
	if d.Artifact != "" {
		d.Files = []string{d.Artifact}
	}
	if d.Issues, err = r.texts("issues"); err != nil {
		return Document{}, err
	}
	if d.Modifies, err = r.texts("files"); err != nil {
		return Document{}, err
	}
	d.NewSubItems, err = r.records("items", []string{"id", "name", "desc", "estimate", "files", "blocked_by"})
	return d, err
}
