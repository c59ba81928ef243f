# Reads what the hook of a bare repository wrote down of each transaction, and says whether every task had one holder at each
# moment, and landed once. It knows nothing of the program but the text of a claim.
#
#   awk -v tasks=N -v lease=SECONDS -f crowd.awk ENDED OBJECTS LOG
#
# ENDED lists workers that were killed, or that gave a claim up. OBJECTS is what `git cat-file --batch` prints of all objects in the
# log. The log has for each transaction a line `begin SECONDS KEY`, and a line `change KEY OLD NEW REF` for each reference, written
# while they are locked; `committed KEY` or `aborted KEY` says how the last one of that key ended, or that one could not begin.

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

FNR == 1 { files++ }
files == 1 { ended[$1] = 1 }
files == 2 && NF == 3 && ($2 == "blob" || $2 == "commit") { object = $1 }
files == 2 && /^\{/ { text[object] = $0 }
files == 2 && $1 == "done" { done[object] = done[object] " " $2 " " $3 }
files == 3 && $1 == "begin" { last[$3] = ++n; began[n] = $2 }
files == 3 && $1 == "change" { m = last[$2]; i = ++changes[m]; old[m, i] = $3; new[m, i] = $4; ref[m, i] = $5 }
files == 3 && $1 == "committed" { delete last[$2] }
files == 3 && $1 == "aborted" && $2 in last { dead[last[$2]] = 1 }
END {
	for (m = 1; m <= n; m++) if (!(m in dead)) transaction()
	for (id in current) if (!is_none(current[id])) fail(id " is still claimed")
	if (all != tasks) fail(all + 0 " of " tasks " tasks landed")
	print all + 0 " landed, " steals + 0 " claims taken over, " n " transactions"
	exit bad
}
