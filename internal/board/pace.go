package board

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// How often bubbletea looks whether there is a new frame to draw.
const (
	busyFrame = 4 * time.Millisecond   // while something happens
	idleFrame = 250 * time.Millisecond // restAfter the last time that something has happened
	restAfter = 500 * time.Millisecond
)

// A pace has frames drawn soon after something has happened, and hardly ever looked for otherwise. bubbletea itself has one rate, always:
// that of a key which is to be seen at once takes a hundredth of a processor while nobody looks.
type pace struct {
	mu      sync.Mutex
	program *tea.Program // nil before it runs
	ticker  *time.Ticker // of the program
	rest    *time.Timer
	last    time.Time // when something has happened
	busy    bool
}

// of says which program it is for.
func (p *pace) of(program *tea.Program) {
	p.mu.Lock()
	p.program = program
	p.mu.Unlock()
}

// happened says that there may be another frame soon.
func (p *pace) happened() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.program == nil {
		return
	}
	if p.ticker == nil {
		if p.ticker = tickerOf(p.program); p.ticker == nil {
			return
		}
		p.rest = time.AfterFunc(restAfter, p.slowDown)
	}
	p.last = time.Now()
	if !p.busy { // again and again would be never
		p.busy = true
		p.ticker.Reset(busyFrame)
		p.rest.Reset(restAfter)
	}
}

func (p *pace) slowDown() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if left := restAfter - time.Since(p.last); left > 0 {
		p.rest.Reset(left)
		return
	}
	p.busy = false
	p.ticker.Reset(idleFrame)
}

// tickerOf returns the ticker by which a program that runs looks for frames; nil where this version of bubbletea has none, whose rate then
// stays as it is. There is no other way to it.
func tickerOf(p *tea.Program) *time.Ticker {
	field := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return (*time.Ticker)(field.UnsafePointer())
}
