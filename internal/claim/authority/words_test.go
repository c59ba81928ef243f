package authority

import (
	"testing"

	"git-ralph/internal/proc"
)

// TestWordsOfARemote guards: what a remote says decides whether it throttles, refuses or is locked; the names of places, references
// and branches in it do not.
func TestWordsOfARemote(t *testing.T) {
	for _, test := range []struct {
		stderr, report              string
		throttled, declined, locked bool
	}{
		{stderr: "error: RPC failed; HTTP 429 curl 22 The requested URL returned error: 429", throttled: true},
		{stderr: "fatal: unable to access 'https://example.org/x/': The requested URL returned error: 429", throttled: true},
		{stderr: "remote: Too many requests, isn't it", throttled: true},
		{stderr: "error: failed to push some refs to '/srv/team-429/hub.git'"},
		{stderr: "error: failed to push some refs to 'throttled:rate limit/hub.git'"},
		{stderr: "To https://throttle.example.org/429/hub.git\n ! [rejected] main -> throttle/429 (fetch first)"},
		{stderr: "ssh: connect to host throttle.example.org port 22: Connection refused"},
		{stderr: "remote: error: hook declined to update refs/ralph/claims/t-a", declined: true},
		{stderr: "remote: GitLab: You are not allowed to push\nerror: failed to push some refs to 'x'", declined: true},
		{report: "!\tabc:refs/ralph/claims/t-a\t[remote rejected] (pre-receive hook declined)\nDone\n", declined: true},
		{report: "=\tabc:refs/heads/denied\t[up to date]\n!\tabc:refs/heads/protected\t[remote rejected] (failed to update ref)\n"},
		{stderr: "remote: error: Unable to create '/srv/protected/hub.git/./packed-refs.lock': File exists.        \n" +
			"remote: Another git process seems to be running in this repository\nerror: failed to push some refs to '../protected hub'", locked: true},
		{report: "!\tabc:refs/heads/x\t[remote rejected] (cannot lock ref 'refs/heads/x': Unable to create '/it's/denied/x.lock': File exists.)", locked: true},
	} {
		err := &proc.Error{Program: "git", Stderr: test.stderr}
		if isThrottled(err) != test.throttled || isDeclined(err, test.report) != test.declined || isLocked(err, test.report) != test.locked {
			t.Errorf("%q, %q: throttled %v, declined %v, locked %v", test.stderr, test.report, isThrottled(err), isDeclined(err, test.report), isLocked(err, test.report))
		}
	}
}
