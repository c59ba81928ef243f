package main

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// TestInterruptsApart guards: interrupts within 50 ms are one key press, which the terminal sends to us and to git; two that are
// 100 ms apart are two, and the second one ends the run at once.
func TestInterruptsApart(t *testing.T) {
	for apart, want := range map[time.Duration]os.Signal{
		0: nil, 49 * time.Millisecond: nil, 50 * time.Millisecond: os.Interrupt, 100 * time.Millisecond: os.Interrupt, time.Hour: os.Interrupt,
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			signals, asked, last := make(chan os.Signal, 4), make(chan struct{}), make(chan os.Signal, 1)
			go func() { last <- lastSignal(ctx, signals, nil, func(os.Signal) { close(asked) }) }()
			signals <- os.Interrupt
			synctest.Wait()
			select {
			case <-asked:
			default:
				t.Errorf("%s: the first one did not ask", apart)
			}
			time.Sleep(apart)
			signals <- os.Interrupt
			synctest.Wait()
			select {
			case got := <-last:
				if got != want {
					t.Errorf("%s: ended by %v, want %v", apart, got, want)
				}
			default:
				if want != nil {
					t.Errorf("%s: not ended", apart)
				}
			}
		})
	}
}

// TestOnePress guards: the second of the two interrupts of one Ctrl-C does not end a command that is cleaning up.
func TestOnePress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		signals, released := make(chan os.Signal, 1), make(chan struct{})
		go onePress(ctx, signals, cancel, func() { close(released) })
		signals <- os.Interrupt
		<-ctx.Done()
		time.Sleep(oneKeyPress - time.Millisecond)
		synctest.Wait()
		select {
		case <-released:
			t.Error("an interrupt of the same key press would end the process")
		default:
		}
		<-released
	})
}
