package textmerge

// Words are the words of a text, in order.
func Words(text string) []string {
	var a alphabet
	var all []string
	for _, letter := range a.spell(text) {
		all = append(all, a.word(letter))
	}
	return all
}
