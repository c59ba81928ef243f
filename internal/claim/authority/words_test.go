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

// What git could not write here is different from what the remote could not do, whose words may be the same.
func TestLocalWords(t *testing.T) {
	for stderr, want := range map[string]bool{
		"error: unable to create temporary file: Read-only file system\nfatal: failed to write object\nfatal: unpack-objects failed":             true,
		"fatal: unable to write loose object file: No space left on device\nfatal: unpack-objects failed":                                        true,
		"error: cannot lock ref 'refs/x/main': Unable to create '/srv/x.lock': Permission denied":                                                true,
		"error: unpack-objects died of signal 25\nfatal: unpack-objects failed":                                                                  true,
		"remote: error: unable to write file: No space left on device\nremote: aborting due to possible repository corruption\nfatal: early EOF": false,
		"git@example.org: Permission denied (publickey).\nfatal: Could not read from remote repository.\n":                                       false,
		"fatal: '/srv/permission denied' does not appear to be a git repository\nfatal: Could not read from remote repository.\n":                false,
		"fatal: unable to access 'https://example.org/x/': Could not resolve host: example.org":                                                  false,
		"fatal: the remote end hung up unexpectedly\nfatal: early EOF\nfatal: unpack-objects failed":                                             false,
	} {
		if got := isLocal(&proc.Error{Program: "git", Stderr: stderr}); got != want {
			t.Errorf("%q: %v", stderr, got)
		}
	}
}
