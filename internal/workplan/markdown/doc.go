// Package markdown parses workplans. Markdown is parsed by goldmark, YAML by the YAML organization's library; both only say
// where values are. Their positions are verified against the bytes of the file (their columns are characters, and goldmark
// pads tabs), since an edit replaces what is there.
package markdown
