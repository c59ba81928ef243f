// Package landings draws histories in which work comes into a target branch, or does not, in all the ways that people have; and it
// says what has landed, by reading the files of the target: slowly, and knowing nothing of how the product decides.
package landings
