// Package cardaction has what can be done to a card of the board and of the page: each action with its key, its question,
// and the command line that does it. The board and the page take their keys from here.
package cardaction
