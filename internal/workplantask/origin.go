package workplantask

import (
	"path"
	"path/filepath"
	"strings"

	"git-ralph/internal/plan"
)

// Field is the field of a task that names its block.
const Field = "workplan"

// An Origin is the block that a task came from.
type Origin struct {
	Path string // of the workplan: slash-separated, relative to the worktree's root
	ID   string // of the block
}

// String returns the value of the field. The last # of it is the one between path and id: one in the id becomes %23.
func (o Origin) String() string {
	return o.Path + "#" + strings.NewReplacer("#", "%23", "%23", "%2523", "%25", "%2525").Replace(o.ID)
}

// OriginOf returns the origin of a task. A value that is no path within the worktree is data of somebody else's.
func OriginOf(r plan.Record) (Origin, bool) {
	if r.Kind() != plan.KindTask {
		return Origin{}, false
	}
	text := r.Text(Field)
	at := strings.LastIndexByte(text, '#')
	if at < 1 || at == len(text)-1 {
		return Origin{}, false
	}
	o := Origin{text[:at], strings.NewReplacer("%23", "#", "%25", "%").Replace(text[at+1:])}
	ok := path.Clean(o.Path) == o.Path && filepath.IsLocal(filepath.FromSlash(o.Path)) && !strings.HasPrefix(strings.ToLower(o.Path)+"/", ".git/")
	return o, ok
}
