package mask

import "bytes"

// An ownRule is one of our own rules: a mark, and how to find the secret that belongs to it.
type ownRule struct {
	mark  string
	exact bool // the mark's letter case counts
	find  finder
}

// A finder returns where the secret begins and ends for a mark that is at text[at:end]; an empty span where there is none.
type finder func(text []byte, at, end int) span

// A span is a part of a text.
type span struct{ from, to int }

// ownRules returns rules for the keys of services that agents are commonly given, credentials in addresses and headers, and values whose
// name calls them secret.
func ownRules() []ownRule {
	keys := func(find finder, marks ...string) (list []ownRule) {
		for _, mark := range marks {
			list = append(list, ownRule{mark, true, find})
		}
		return list
	}
	names := func(find finder, marks ...string) (list []ownRule) {
		for _, mark := range marks {
			list = append(list, ownRule{mark, false, find})
		}
		return list
	}
	var all []ownRule
	for _, group := range [][]ownRule{
		keys(prefixed, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-",
			"dop_v1_", "doo_v1_", "dor_v1_", "dckr_pat_", "AGE-SECRET-KEY-", "GOCSPX-", "nvapi-", "tskey-", "ATATT3xFfGF0"),
		keys(key(16, isKey), "sk-", "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "xapp-", "pypi-", "shpat_", "lin_api_", "SG.", "xai-", "gsk_", "sbp_", "glptt-", "gldt-", "glrt-", "hvs."),
		keys(urlSignature, "&sig=", "?sig=", "u0026sig=", "X-Amz-Signature=", "X-Goog-Signature=", "discord.com/api/webhooks/"),
		keys(key(30, isKey), "AIza", "npm_", "hf_", "r8_", "ya29."),
		{{"AKIA", true, accessID}, {"ASIA", true, accessID}, {"eyJ", true, webToken}, {keyBegin, true, privateKey}, {"://", true, urlPassword}, {"@tcp(", true, dataSource}, {"curl", false, curlUser}},
		names(attached("-p"), "mysql", "mariadb"),
		names(flagged("-p", "--password"), "docker login", "podman login", "buildah login", "skopeo login", "nerdctl login", "registry login", "az login", "oc login", "sshpass",
			"mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport"),
		names(flagged("-a", "--pass"), "redis-cli"),
		names(flagged("-w"), "ldapsearch", "ldapmodify", "ldapadd"),
		names(header, "authorization"),
		names(cookie, "cookie"),
		names(bearer, "bearer"),
		names(named(password), "password", "passwd", "passphrase", "_pass", "pwd"),
		names(named(ambiguousPassword), "pass"),
		names(netrc, "password "),
		names(base64Login, "\"auth", "_auth"),
		names(sqlPassword, "identified by "),
		names(named(token), "token", "secret_key_base", "secret", "credential", "api_key", "api-key", "apikey", "access_key", "access-key", "accesskey", "account_key",
			"account-key", "accountkey", "private_key", "private-key", "privatekey", "secret_key", "secret-key", "secretkey",
			"signing_key", "signing-key", "encryption_key", "encryption-key"),
		names(named(columnOrKey), "_key"),
	} {
		all = append(all, group...)
	}
	return all
}

// key finds a key that begins with its mark, at the beginning of a word. Since ordinary words may begin with the mark too,
// is reports whether the rest is that of a key.
func key(min int, is func([]byte) bool) finder {
	return func(text []byte, at, end int) span {
		if !startsWord(text, at) {
			return span{}
		}
		to := runEnd(text, end, isKeyByte)
		if to-end < min || !is(text[end:to]) {
			return span{}
		}
		return span{end, to}
	}
}

// prefixed finds a key whose mark nothing else begins with. Within a word, the rest must be mixed.
func prefixed(text []byte, at, end int) span {
	to := runEnd(text, end, isKeyByte)
	if to-end < 16 || !startsWord(text, at) && !isMixed(text[end:to]) {
		return span{}
	}
	return span{end, to}
}

// accessID finds the id of an AWS key: sixteen capitals and digits.
func accessID(text []byte, at, end int) span {
	to := runEnd(text, end, func(c byte) bool { return c >= 'A' && c <= 'Z' || isDigit(c) })
	if to-end != 16 || at > 0 && isLetter(text[at-1]) && !startsWord(text, at) {
		return span{}
	}
	return span{end, to}
}

// webToken finds a JSON web token: two or three parts with dots between them, of which the first two are objects.
func webToken(text []byte, at, _ int) span {
	to := runEnd(text, at, isKeyByte)
	parts := bytes.Split(text[at:to], []byte("."))
	if !startsWord(text, at) || len(parts) < 2 || len(parts[0]) < 12 || len(parts[1]) < 8 {
		return span{}
	}
	return span{at, to}
}

// bearer finds the token after the word bearer.
func bearer(text []byte, _, end int) span {
	from := skipBlanks(text, end)
	to := runEnd(text, from, isKeyByte)
	if from == end || to-from < 8 || !isMixed(text[from:to]) && to-from < 24 {
		return span{}
	}
	return span{from, to}
}

// header finds the credentials of an Authorization header, whatever its scheme.
func header(text []byte, _, end int) span {
	from, found := valueStart(text, end)
	if !found {
		return span{}
	}
	to := runEnd(text, from, isKeyByte)
	if to < len(text) && text[to] == ' ' { // a scheme
		from = skip(text, to, " ")
		to = runEnd(text, from, isKeyByte)
	}
	if to-from < 6 || !isMixed(text[from:to]) && to-from < 24 {
		return span{}
	}
	return span{from, to}
}

// cookie finds the pairs of a Cookie header, from the first value to the last.
func cookie(text []byte, _, end int) span {
	at, found := valueStart(text, end)
	if !found {
		return span{}
	}
	var all span
	for {
		equals := runEnd(text, at, isNameByte)
		if equals == at || equals >= len(text) || text[equals] != '=' {
			return all
		}
		from := skip(text, equals+1, `\"`)
		to := runEnd(text, from, isValueByte)
		if to-from >= 8 && all.from == 0 {
			all.from = from
		}
		if all.from > 0 {
			all.to = to
		}
		next := skip(text, to, `\"`)
		if next == len(text) || text[next] != ';' {
			return all
		}
		at = skip(text, next+1, " ")
	}
}

// urlPassword finds the password, or the token alone, in front of the host of a URL.
func urlPassword(text []byte, _, end int) span {
	to := runEnd(text, end, isUserByte)
	if to == len(text) || text[to] != '@' {
		return span{}
	}
	// A password may hold an @ of its own: the last one before the host counts.
	for next := runEnd(text, to+1, isUserByte); next < len(text) && text[next] == '@'; next = runEnd(text, next+1, isUserByte) {
		to = next
	}
	if bytes.HasPrefix(text[to:], []byte("@sha256:")) { // image:tag@sha256:…
		return span{}
	}
	user := text[end:to]
	colon := bytes.IndexByte(user, ':')
	from := end + colon + 1
	if from == to || isPlaceholder(text[from:to]) || colon < 0 && (len(user) < 16 || !isMixed(user)) {
		return span{}
	}
	return span{from, to}
}

// dataSource finds the password in user:password@tcp(host).
func dataSource(text []byte, at, _ int) span {
	from := at
	for from > 0 && isUserByte(text[from-1]) {
		from--
	}
	colon := bytes.IndexByte(text[from:at], ':')
	if colon < 0 || from+colon+1 == at {
		return span{}
	}
	return span{from + colon + 1, at}
}
