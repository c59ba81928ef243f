package mirror

import (
	"strings"

	"git-ralph/internal/plan"
)

// markerStart begins a marker: a comment of HTML that nobody sees, by which an issue or a comment that we made is found again.
const markerStart = "<!-- git-ralph "

// marker returns a marker of words, which cannot end it early.
func marker(words ...string) string {
	return markerStart + strings.NewReplacer("--", "- -", ">", "", "\n", " ").Replace(strings.Join(words, " ")) + " -->"
}

// itemMarker is the last line of the body of an issue that was made for an item.
func itemMarker(id, created string) string { return marker("item", id, created) }

// markedItem returns the item that an issue was made for. A stranger's marker does not count.
func (i Issue) markedItem() (id, created string, ok bool) {
	_, line := i.text()
	words := strings.Fields(strings.TrimSuffix(strings.TrimPrefix(line, markerStart), "-->"))
	if len(words) != 3 || words[0] != "item" || !plan.ValidID(plan.KindItem, words[1]) {
		return "", "", false
	}
	return words[1], words[2], true
}

// text returns the body of an issue without our marker, behind which somebody may have written, and the marker.
func (i Issue) text() (body, marker string) {
	body = lines(i.Body)
	at := strings.LastIndex(body, markerStart+"item ")
	if at < 0 || !i.Trusted {
		return body, ""
	}
	length := strings.Index(body[at:], "-->")
	if length < 0 {
		return body, ""
	}
	length += len("-->")
	return strings.TrimSuffix(body[:at], "\n\n") + body[at+length:], body[at : at+length]
}

// bodyOf returns the body of an issue for a description, with the marker that it has.
func bodyOf(desc, marker string) string {
	switch {
	case marker == "":
		return desc
	case desc == "":
		return marker
	}
	return desc + "\n\n" + marker
}
