package land

import (
	"testing"
	"time"

	"git-ralph/internal/claim/authority"
)

// Of many who wait for the turn, few try to take it at once; who is alone with it has it after a few looks, however many others have claims.
func TestFewTryToTakeTheTurn(t *testing.T) {
	waiting := func(others, idle int) float64 {
		l := &lander{pushing: time.Second}
		return (&turn{lander: l, now: authority.Turn{Others: others}, paused: firstLook, idle: idle}).chance()
	}
	if all := 50 * waiting(50, 0) * float64(time.Second/firstLook); all < 1 || all > 5 {
		t.Errorf("of 50, %.1f try in the time of a push", all)
	}
	if got := waiting(1, 0); got < 0.5 {
		t.Errorf("alone: %.2f", got)
	}
	for _, others := range []int{10, 50, 1000} {
		if got := waiting(others, 12); got != 1 {
			t.Errorf("%d claims, and nobody takes the turn: %.2f", others, got)
		}
	}
	if got := (&turn{lander: &lander{pushing: time.Second}, now: authority.Turn{Others: 50}}).chance(); got != 1 {
		t.Errorf("who has just come waits: %.2f", got)
	}
}
