# Reads what the hook of a bare repository wrote down of each transaction, and says whether every task had one holder at each
# moment, and landed once; whether nobody held a claim to be good for longer than its lease; and whether the commits of all workers
# are still there. It knows nothing of the program but the text of a claim.
#
#   awk -v tasks=N -v lease=SECONDS -f crowd.awk ENDED OBJECTS LOG CALLS KEPT
#
# ENDED lists workers that were killed, or that gave a claim up. OBJECTS is what `git cat-file --batch` prints of all objects in the
# log. The log has for each transaction a line `begin SECONDS KEY`, and a line `change KEY OLD NEW REF` for each reference, written
# while they are locked; `committed KEY SECONDS` or `aborted KEY` says how the last one of that key ended, or that one could not begin.
#
# CALLS is what the workers wrote down: `began PID CLONE SECONDS` and `ended PID CLONE SECONDS` around whatever reads claims, with `failed`
# before `ended` where that was in vain, and `died PID CLONE SECONDS` of one that was killed; `saw CLONE FROM TO`, when it read all claims,
# with ID, OBJECT and `fresh` or `stale` of each that somebody works on; `made WORKER COMMIT`. KEPT lists the commits on branches.

function fail(text) { print "transaction " m ": " text; bad = 1 }

function member(object, name,    json, at) {
	json = text[object]
	at = index(json, "\"" name "\": \"")
	if (!at) return ""
	json = substr(json, at + length(name) + 5)
	return substr(json, 1, index(json, "\"") - 1)
}

function is_none(object) { return object ~ /^0*$/ }

# has_ended reports whether a worker may have left its claim: its name is that of a process, a dot, and a number.
function has_ended(worker) { return worker in ended || substr(worker, 1, index(worker, ".") - 1) in ended }

function claim_changed(id, before, after) {
	if (before != current[id] && !(is_none(before) && is_none(current[id]))) fail(id " changed from " before ", and was " current[id])
	if (!is_none(before) && !is_none(after) && member(before, "token") != member(after, "token")) {
		steals++
		if (member(before, "state") == "landing") fail(id " was taken while it waited to land")
		if (began[m] - since[id] < lease && !has_ended(member(before, "worker"))) fail(id " was taken from " member(before, "worker") " after " began[m] - since[id] " s")
	}
	current[id] = after
	since[id] = began[m]
	over[before] = began[m]
}

function landed_now(id, token) {
	if (id in landed) fail(id " landed twice")
	if (!(id in deleted)) fail(id " landed, and its claim did not end with that")
	if (member(current[id], "token") != token) fail(id " landed under the claim of somebody else")
	if (member(current[id], "state") != "landing") fail(id " landed while somebody worked on it")
	landed[id] = 1
	all++
}

function transaction(    i, k, words, id) {
	split("", deleted)
	for (i = 1; i <= changes[m]; i++) if (ref[m, i] ~ /^refs\/ralph\/claims\// && is_none(new[m, i])) deleted[substr(ref[m, i], 19)] = 1
	for (i = 1; i <= changes[m]; i++) if (ref[m, i] == "refs/heads/target") {
		k = split(done[new[m, i]], words, " ")
		for (; k > 0; k -= 2) landed_now(words[k - 1], words[k])
	}
	for (i = 1; i <= changes[m]; i++) if (ref[m, i] ~ /^refs\/ralph\/claims\//) claim_changed(substr(ref[m, i], 19), old[m, i], new[m, i])
}

# saw looks for claims that a clone saw a lease ago, as they are, and that were not stale now. A read that took long says nothing:
# whoever was stopped may have kept it from what the clone had seen, and from writing down what it saw now.
function saw(clone, at, until, words, n,    i, key) {
	if (until - at >= 1.5) return
	for (i = 5; i + 2 <= n; i += 3) {
		key = clone SUBSEP words[i + 1]
		if (!(key in first)) first[key] = until
		else if (words[i + 2] == "fresh" && at > first[key] + lease + 0.02) {
			late_clone[++lates] = clone; late_id[lates] = words[i]; late_object[lates] = words[i + 1]
			seen_from[lates] = first[key]; seen_to[lates] = at; seen_until[lates] = until
			first[key] = until
		}
	}
}

function call_ended(pid, clone, at) {
	if (!(pid in calling)) return
	k = ++calls[clone]
	from[clone, k] = calling[pid]
	to[clone, k] = at
	if (pid in failing) failed[clone, k] = 1
	delete calling[pid]
	delete failing[pid]
}

# outdated returns until when a call may read a claim as it was before it became an object: those that began before that, and whoever
# reads what these fetched.
function outdated(clone, at,    k, until) {
	until = at
	for (k = 1; k <= calls[clone]; k++) if (from[clone, k] <= at && to[clone, k] > until) until = to[clone, k]
	return until
}

# check_late fails where a worker counted a lease from later than it might. A clone begins anew where it could not read, or where one
# of its workers wrote down after the first sight of an object what it had read before; and an object that was replaced during the read
# is new again to whoever read it before that, where another one has noted already that it is gone.
function check_late(i,    clone, object, k, until) {
	clone = late_clone[i]; object = late_object[i]
	if (object in over && over[object] >= seen_to[i] && over[object] <= seen_until[i]) { unknown++; return }
	until = outdated(clone, made[object])
	for (k = 1; k <= calls[clone]; k++) {
		if (from[clone, k] <= until && to[clone, k] > seen_from[i]) { unknown++; return }
		if ((clone, k) in failed && to[clone, k] >= seen_from[i] && from[clone, k] <= seen_to[i]) { unknown++; return }
	}
	print late_id[i] " was not stale " seen_to[i] - seen_from[i] " s after it was first seen"
	bad = 1
}

FNR == 1 { files++ }
files == 1 { ended[$1] = 1 }
files == 2 && NF == 3 && ($2 == "blob" || $2 == "commit") { object = $1 }
files == 2 && /^\{/ { text[object] = $0 }
files == 2 && $1 == "done" { done[object] = done[object] " " $2 " " $3 }
files == 3 && $1 == "begin" { last[$3] = ++n; began[n] = $2 }
files == 3 && $1 == "change" { m = last[$2]; i = ++changes[m]; old[m, i] = $3; new[m, i] = $4; ref[m, i] = $5 }
files == 3 && $1 == "committed" && $2 in last {
	for (i = 1; i <= changes[last[$2]]; i++) made[new[last[$2], i]] = $3
	delete last[$2]
}
files == 3 && $1 == "aborted" && $2 in last { dead[last[$2]] = 1 }
files == 4 && $1 == "began" { calling[$2] = $4; clone_of[$2] = $3 }
files == 4 && $1 == "failed" { failing[$2] = 1 }
files == 4 && ($1 == "ended" || $1 == "died") { call_ended($2, clone_of[$2], $4) }
files == 4 && $1 == "saw" { k = split($0, words, " "); saw($2, $3, $4, words, k) }
files == 4 && $1 == "made" { commits[$3] = $2 }
files == 5 { kept[$1] = 1 }
END {
	for (pid in calling) call_ended(pid, clone_of[pid], 1e12)
	for (m = 1; m <= n; m++) if (!(m in dead)) transaction()
	for (i = 1; i <= lates; i++) check_late(i)
	for (commit in commits) if (!(commit in kept)) { print "commit " commit " of " commits[commit] " is lost"; bad = 1 }
	for (id in current) if (!is_none(current[id])) fail(id " is still claimed")
	if (all != tasks) fail(all + 0 " of " tasks " tasks landed")
	print all + 0 " landed, " steals + 0 " claims taken over, " n " transactions, " lates + 0 " claims seen for too long, " unknown + 0 " of them for a reason"
	exit bad
}
