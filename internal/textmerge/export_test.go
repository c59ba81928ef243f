package textmerge

// Words are the words of a text, in order.
func Words(s string) []string {
	var a alphabet
	return a.spell(s).words
}
