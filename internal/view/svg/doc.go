// Package svg draws views as SVG pictures, which stand alone or become part of a page. A picture has no script and refers to nothing outside itself; texts in
// it may come from anybody. Colours follow what the reader's system prefers, light or dark, and no colour says anything that a shape or a word does not say too.
package svg
