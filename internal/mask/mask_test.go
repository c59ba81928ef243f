package mask

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/test/masktest"
)

const hex = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"

var mixed = strings.Repeat("Ab1", 14) // of a key

// TestSecretsAreMasked guards: what looks like a secret is masked in every form in which programs print it: by itself, in
// prose, in a string of JSON and in one within that.
func TestSecretsAreMasked(t *testing.T) {
	m := NewFull()
	for text, secret := range masktest.Secrets() {
		once, _ := json.Marshal("before\n" + text + "\tbehind")
		twice, _ := json.Marshal(`{"a": ` + string(once) + `}`)
		for _, form := range []string{text, "before " + text + " behind", "before\n" + text + "\nbehind", string(once), string(twice)} {
			got := m.Text(form)
			if strings.Contains(got, secret) {
				t.Errorf("%s\nis %s", form, got)
			}
			if json.Valid([]byte(form)) && !json.Valid([]byte(got)) {
				t.Errorf("%s\nis no JSON: %s", form, got)
			}
			if again := m.Text(got); again != got {
				t.Errorf("%s\nthen %s", got, again)
			}
			if strings.Contains(form, "before") != strings.Contains(got, "before") {
				t.Errorf("%s\nlost what surrounds it: %s", form, got)
			}
		}
	}
	t.Logf("%d formats", len(masktest.Secrets()))
}

// TestWhatSurroundsStays guards: the name of a secret stays, and all that stands around it.
func TestWhatSurroundsStays(t *testing.T) {
	long := strings.Repeat("Ab1", 12)
	for line, want := range map[string]string{
		"key sk-ant-" + long + " end":                          "key sk-*** end",
		`{"token": "ghp_` + long + `", "x": 1}`:                `{"token": "***", "x": 1}`,
		"Authorization: Bearer " + long:                        "Authorization: Bearer ***",
		"export MY_API_KEY='" + long + "' # mine":              "export MY_API_KEY='***' # mine",
		`{\"password\": \"hunter22222\"}`:                      `{\"password\": \"***\"}`,
		"DB_PASSWORD=secret123 DB_TOKEN=" + long:               "DB_PASSWORD=*** DB_TOKEN=***",
		"AKIA" + strings.Repeat("Z", 16):                       "AKIA***",
		"-----BEGIN RSA PRIVATE KEY-----\\nMII\\n-----END x":   "-----BEGIN***-----END x",
		"postgres://app:hunter2@db:5432/app?sslmode=disable":   "postgres://app:***@db:5432/app?sslmode=disable",
		"Cookie: session=abc123def456; theme=dark9\r":          "Cookie: session=*** ",
		"use --password hunter2. Then go on":                   "use --password ***. Then go on",
		`{"cmd": "curl -u admin:hunter2 https://example.com"}`: `{"cmd": "curl -u admin:*** https://example.com"}`,
	} {
		if got := New().Text(line); got != want {
			t.Errorf("%q became\n%q, want\n%q", line, got, want)
		}
	}
}

// TestOwnListKnowsFormats guards: the list of our own, which hooks use, knows nearly all of the formats by itself.
func TestOwnListKnowsFormats(t *testing.T) {
	m, missed := New(), 0
	for text := range masktest.Secrets() {
		if !m.HasSecret(text) {
			t.Log(text)
			missed++
		}
	}
	if missed > 2 {
		t.Errorf("%d formats are not known", missed)
	}
}

// TestProseStays guards: what people write about secrets, ids and code is not taken for a secret.
func TestProseStays(t *testing.T) {
	m := NewFull()
	for _, text := range []string{
		"nothing: task-sk-1, the password is wrong, MY_KEY",
		"commit " + hex + " and t-1a2b3c4d, i-77ff00aa, 550e8400-e29b-41d4-a716-446655440000",
		"done_at 9f86d081884c, sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"Fix the password: validate its length before hashing", "token: refresh it, and store the new one", "add a --password flag and a --token option",
		`{"type": "token", "key": "Enter", "password": "must be long enough", "input_tokens": 40961234, "max_tokens": 200000}`,
		"the risk-assessment-of-the-database-migration, ask-the-user-for-confirmation-first",
		"rate limit handling; Authorization: required for admins; Bearer tokens are refreshed; Basic authentication",
		"https://github.com/owner/repo/pull/5, git@github.com:owner/repo.git, http://localhost:8080/@scope/pkg, mailto:a@b.c",
		"token = parser.Next(); key := keys[i]; password=os.Getenv(\"DB_PASSWORD\"); secret: ${{ secrets.TOKEN }}; PASSWORD=$PW; api_key=<your key>",
		"PWD=/home/user/project", "docker run -u 1000:1000 image", "Cookie: must be HttpOnly", "Set-Cookie: Path=/; Secure",
		"primary_key: user_id_2, partition_key=customer_2024_id, \"sort_key\": \"created_at_v2\", foreign_key=\"users.account_id2\", i18n_key: home.title.v2, FEATURE_KEY=dark-mode-v2",
		"--- PASS: TestSomething123, first-pass: TestSomething123, 2 tests pass: TestTwo2", "Unexpected token: punc1234, id_token: validated2, secret: projects/123/secrets/foo/versions/4",
		"`password=os.environ['X']`, password=process.env.DB_PASS", "skopeo copy docker://image:tag@sha256:9f86d081", "<password>, a password reset2", "OAuth: \"auth\": \"oauth2-code-flow\"",
		"the primary_key: user_id, foreign-key: account_id; sort_key=created_at", "aGVsbG8gd29ybGQ= is base64 of hello world",
		"TestParser_test_fixture_live_reload covers sentry, twitch and heroku, linear algebra, datadog: dashboards",
		"verify with `go test ./... -run TestToken` that internal/token/parse.go:120 passes",
		"cancellation token: the context's", "sourcegraph at " + hex, "PRIVATE KEYS are no keys",
		"line one\n\tline two, with a tab\n", "",
		"the password is required", "docker run -p 8080:80 image", "docker login r.io && docker run -p 8080:80 image", "mkdir -p x/secret", "ssh -p 2222 host",
		"type T = {\n  token: string\n  password: string;\n}", "func f(token string, password string)", "secret := newSecret(ctx)",
		"fmt.Println(\"password:\", given, \"and token:\", other)", "url += \"?password=\" + value + \"&x=\" + other", "x = \"password=\" , \"token=\"",
		"password:\n  type: string\n  minLength: 8", "password: |\n  The password of the user, which is required.\nnext: one",
		"{\n  \"password\":\n    \"must be long enough\"\n}", "password: >-\n  ${DB_PASSWORD}\nuser: bob", "password: \"is required\"", "const errPassword = \"the password is too short\"",
		"mysql -p shop, mysql -P 3306 -h db", "mysql -u root -p < dump.sql", "use docker login -p to give it, or sshpass -p with care; redis-cli -a is the same",
		"Enter the password:\nthen press return", "| token: |\n| --- |\n| a1b2c3d4 |", "curl -fsSL -o out https://example.com/a:b",
		"DB_PASSWORD=\nDB_HOST=localhost1\n", "{\"env\": \"DB_PASSWORD=\\nDB_HOST=localhost1\"}",
		"> **Recommendation**: the tokens are counted", "description: |\n  a1b2c3d4e5f6g7h8 is an id\n",
	} {
		if got := m.Text(text); got != text {
			t.Errorf("%s\nis %s", text, got)
		}
	}
}

// TestDocumentsStay guards the same for real texts: the documents and the example plans of this repository.
func TestDocumentsStay(t *testing.T) {
	m := NewFull()
	files, _ := filepath.Glob("../../docs/*.*")
	plans, _ := filepath.Glob("../../docs/examples/*")
	for _, name := range append(append(files, plans...), "../../README.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // a directory
		}
		masked := strings.Split(m.Text(string(text)), "\n")
		for i, line := range strings.Split(string(text), "\n") {
			if masked[i] != line {
				t.Errorf("%s:%d: %s\nis %s", name, i+1, line, masked[i])
			}
		}
	}
}

// TestStreamJoinsLines guards: a secret is masked although its name, or its beginning, stands on the line before.
func TestStreamJoinsLines(t *testing.T) {
	for text, secret := range map[string]string{
		"password:\n  hunter22\nafter":                                                                 "hunter22",
		"Authorization: Bearer\n" + mixed + "\nafter":                                                  mixed,
		"mysql --password \\\n  hunter2 \\\n  -e\nafter":                                               "hunter2",
		"{\n  \"token\":\n    \"abc123def456\"\n}\nafter":                                              "abc123def456",
		"{\n  \"password\":\n\n    \"hunter22\"\n}\nafter":                                             "hunter22",
		"a:\n  password: |\n    hunter22\n\n    hunter22\n  user: bob\nafter":                          "hunter22",
		"{\"x\": \"password:\"}\n{\"x\": \"private_key: |\\n  hunter22hunter22\\n  hunter22\"}\nafter": "hunter22",
		"run: |\n  password:\n    hunter22\nafter":                                                     "hunter22",
		"private_key: | # of the server\n  bWlpZXZxaWJhZGFuYmc38\n  hunter22\nafter":                   "hunter22",
		"private_key: |\n  -----BEGIN PRIVATE KEY-----\nhunter22\n-----END PRIVATE KEY-----\nafter":    "hunter22",
		"-----BEGIN PRIVATE KEY-----\nMIIEvQ\nMIIEvR\n-----END PRIVATE KEY-----\nafter":                "MIIEv",
	} {
		s := NewFull().Stream()
		var out []string
		for line := range strings.SplitSeq(text, "\n") {
			out = append(out, string(s.Line([]byte(line))))
		}
		if got := strings.Join(out, "\n"); strings.Contains(got, secret) || !strings.HasSuffix(got, "\nafter") {
			t.Errorf("%q is %q", text, got)
		}
	}
}

// TestControlCharactersAreReplaced guards: no control character and no mark that turns the direction of writing is left.
func TestControlCharactersAreReplaced(t *testing.T) {
	for text, want := range map[string]string{
		"a\x1b[31;1mred\x1b[0m b":       "ared b",
		"title\x1b]0;evil\a here":       "title here",
		"title\x1b]0;evil\x1b\\ here":   "title here",
		"g\x00h\x00p\x00_" + mixed:      "ghp_***",
		"bell\a nul\x00 del\x7f \u0085": "bell  nul del   ",
		"\u202eabc\u2066\u2069 \u061c":  " abc    ",
		"a\r\nb\rc\td\n":                "a\nb c\td\n",
		"\x1b":                          "", "\x1b[": "", "x\x1b[12": "x", "x\x1bcy": "xy", "\xff\xfe": "\ufffd\ufffd",
		"ghp_\x1b[1m" + mixed[:36]: "ghp_***",
		"ünïcödé – stays 日本語":      "ünïcödé – stays 日本語",
	} {
		if got := New().Text(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestEscapesAreRead guards: a secret and a control character that JSON spells as escapes is masked, and all else stays JSON
// with the same meaning.
func TestEscapesAreRead(t *testing.T) {
	for line, want := range map[string]string{
		`{"a": "\u0067hp_` + mixed[:36] + `\u0022"}`: `{"a": "ghp_***\u0022"}`,
		`{"a": "x\u001b[1m\u202ey\n\u000a\\u0067"}`:  `{"a": "x y\n\u000a\\u0067"}`,
		`{"a": "\ud83d\ude00 \u00fc \u005c \u00"`:    `{"a": "\ud83d\ude00 \u00fc \u005c \u00"`,
		`{"a\`: `{"a\`,
	} {
		if got := string(New().Stream().Line([]byte(line))); got != want {
			t.Errorf("%s is %s, want %s", line, got, want)
		}
	}
}

// TestRulesCompile guards: every published rule can be used, and finds by its keyword what its expression matches.
func TestRulesCompile(t *testing.T) {
	all := rules()
	if len(all) < 200 {
		t.Fatalf("%d rules", len(all))
	}
	for _, r := range all {
		if len(r.keywords) == 0 || r.regex().NumSubexp() < r.group {
			t.Errorf("%v", r)
		}
		for _, word := range r.keywords {
			if len(word) < 2 {
				t.Errorf("keyword %q", word)
			}
		}
	}
}

// TestScanOverlooksNothing guards: the automaton finds what a search for each word finds.
func TestScanOverlooksNothing(t *testing.T) {
	words := []string{"s", "sk-", "gh", "ghp_", "hp", "pass", "password", "word", "apikey", "key", "_key", "ssk", "ks-s"}
	a := newAutomaton(words)
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var text []byte
		for range random.IntN(10) {
			word := words[random.IntN(len(words))]
			text = append(text, word[:1+random.IntN(len(word))]...)
			text = append(text, " -\xffA"[random.IntN(4)])
		}
		found := map[[2]int]bool{}
		a.scan(text, func(word uint16, end int) { found[[2]int{int(word), end}] = true })
		want := 0
		for n, word := range words {
			for end := len(word); end <= len(text); end++ {
				if bytes.EqualFold(text[end-len(word):end], []byte(word)) {
					want++
					if !found[[2]int{n, end}] {
						t.Fatalf("%q: %q at %d is not found", text, word, end)
					}
				}
			}
		}
		if want != len(found) {
			t.Fatalf("%q: %d found, want %d", text, len(found), want)
		}
	}
}

// BenchmarkLine is what an agent's output costs.
func BenchmarkLine(b *testing.B) {
	s := NewFull().Stream()
	line := []byte(`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"` + strings.Repeat("some words of an output ", 40) + `"}]}}`)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		s.Line(line)
	}
}

// BenchmarkDocument is the same for text that speaks of tokens and keys.
func BenchmarkDocument(b *testing.B) {
	text, err := os.ReadFile("../../docs/loop.md")
	if err != nil {
		b.Fatal(err)
	}
	var lines [][]byte
	for scan := bufio.NewScanner(bytes.NewReader(text)); scan.Scan(); {
		lines = append(lines, bytes.Clone(scan.Bytes()))
	}
	s := NewFull().Stream()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for _, line := range lines {
			s.Line(line)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		NewFull()
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New()
	}
}
