package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// changed is a plan of which one side changed one record in share: finished, edited, removed or added.
func changed(plan string, side uint64, share int) string {
	chance := rand.New(rand.NewPCG(side, 1))
	var b strings.Builder
	n := 0
	for line := range strings.Lines(plan) {
		n++
		if chance.IntN(share) != 0 || n == 1 {
			b.WriteString(line)
			continue
		}
		switch chance.IntN(4) {
		case 0:
			b.WriteString(strings.Replace(line, `"s": "p"`, `"s": "d", "done_at": "0123456789ab"`, 1))
		case 1:
			b.WriteString(strings.Replace(line, "keep its callers", fmt.Sprintf("keep all %d callers", side), 1))
		case 2:
			id, _, _ := strings.Cut(strings.TrimPrefix(line, `{"t": "task", "id": "`), `"`)
			b.WriteString(line + taskLine(fmt.Sprintf("%s%d", id, side), n, "", `"p"`))
		default: // removed
		}
	}
	return b.String()
}
