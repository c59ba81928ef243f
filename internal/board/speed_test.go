package board

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

func big(b *testing.B) *user { return open(b, newRepo(b, bigPlan(10000)...), 160, 50) }

// BenchmarkKey is what a key takes until its frame is made: the time on the screen is in make bench.
func BenchmarkKey(b *testing.B) {
	u := big(b)
	for b.Loop() {
		u.m.Update(keyNamed("down"))
		u.m.View()
	}
}

// BenchmarkFilter is a character of a filter that is typed.
func BenchmarkFilter(b *testing.B) {
	u := big(b)
	u.press("/")
	u.enter("task 99")
	for b.Loop() {
		u.m.Update(keyNamed("9"))
		u.m.View()
		u.m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
		u.m.View()
	}
}

// BenchmarkTask is what reads all about a task, beside the board.
func BenchmarkTask(b *testing.B) {
	u := big(b)
	for b.Loop() {
		u.m.data.Task("t-00500")
	}
}

// BenchmarkBoard is what makes the cards, beside the board.
func BenchmarkBoard(b *testing.B) {
	u := big(b)
	for b.Loop() {
		u.m.data.Board()
	}
}

// BenchmarkShow is what takes the cards that were read.
func BenchmarkShow(b *testing.B) {
	u := big(b)
	cards := u.m.data.Board()
	for b.Loop() {
		u.m.show(cards)
		u.m.View()
	}
}
