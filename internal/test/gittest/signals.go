package gittest

import (
	"os"
	"os/signal"
	"syscall"
)

// ReceiveSignals lets the programs that tests start get signals also where the tests were started by nohup, or by a script in the
// background: programs inherit what is ignored. It is for TestMain.
func ReceiveSignals() {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGHUP} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
}
