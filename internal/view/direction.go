package view

import "unicode"

// RightToLeft reports whether the first letter of a text is of a script that is written from right to left.
func RightToLeft(s string) bool {
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic, unicode.Adlam):
			return true
		case unicode.IsLetter(r):
			return false
		}
	}
	return false
}
