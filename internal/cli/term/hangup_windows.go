package term

import "context"

// AwaitHangup waits until ctx ends: Windows ends the programs of a console that is closed by a signal.
func AwaitHangup(ctx context.Context) bool {
	<-ctx.Done()
	return false
}
