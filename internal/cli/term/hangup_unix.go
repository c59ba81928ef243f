//go:build unix

package term

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// hangupCheck is how long ending may take after the context has.
const hangupCheck = time.Minute

// AwaitHangup waits until the terminal of standard input is closed, or ctx ends, and reports whether the terminal was closed. Where there is none, only ctx ends it.
// It reads nothing: what the user types is the shell's.
func AwaitHangup(ctx context.Context) bool {
	if _, ok := terminal(os.Stdin); !ok {
		<-ctx.Done()
		return false
	}
	for ctx.Err() == nil {
		closed := []unix.PollFd{{Fd: int32(os.Stdin.Fd())}} //nolint:gosec // it is 0
		n, err := unix.Poll(closed, int(hangupCheck.Milliseconds()))
		if err != nil && !errors.Is(err, unix.EINTR) {
			<-ctx.Done()
			return false
		}
		if n > 0 && closed[0].Revents&(unix.POLLHUP|unix.POLLERR) != 0 {
			return true
		}
		if n > 0 { // POLLNVAL: standard input was closed, and not its terminal
			<-ctx.Done()
			return false
		}
	}
	return false
}
