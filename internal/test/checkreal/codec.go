package main

import (
	"fmt"

	"git-ralph/internal/plan"
)

// checkCodec decodes and encodes every plan, and marks those that are invalid.
func checkCodec(r *report, plans []*planVersion) {
	r.begin()
	for _, v := range plans {
		p, problems := plan.Decode(v.text)
		if errs := problems.Errors(); len(errs) > 0 {
			v.invalid = string(errs[0].Code)
			r.note("invalid, "+v.invalid, fmt.Sprintf("%s: %s", v, errs[0].In(v.path)))
		}
		if !problems.Readable() {
			r.ok()
			continue
		}
		if string(p.Encode()) != v.text {
			r.fail("%s: encoding gives other bytes", v)
			continue
		}
		r.ok()
	}
	r.end("revisions decoded and encoded to the same bytes")
}
