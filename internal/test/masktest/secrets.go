// Package masktest has secrets for tests, none of which opens anything.
package masktest

import (
	"maps"
	"strings"
)

const hex = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"

// Secrets are texts with a secret each, in the forms in which programs print them.
func Secrets() map[string]string {
	all := inText()
	maps.Copy(all, inFiles())
	maps.Copy(all, inCommands())
	maps.Copy(all, overLines())
	return all
}

// inText are forms that stand in what programs print.
func inText() map[string]string {
	mixed := strings.Repeat("Ab1", 14)
	jwt := "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	return map[string]string{
		"key sk-ant-api03-" + mixed + " end":                                 "api03-" + mixed,
		"OPENAI_API_KEY=sk-abcdefghijklmnopqrstuvwx":                         "abcdefghijklmnopqrstuvwx",
		"sk-abcdefghijklmnopqrstuvwx":                                        "abcdefghijklmnopqrstuvwx",
		"sk-proj-" + mixed:                                                   mixed,
		"token ghp_" + mixed[:36]:                                            mixed[:36],
		"github_pat_11ABCDE_" + mixed:                                        mixed,
		"glpat-" + mixed[:20]:                                                mixed[:20],
		"xoxb-1234567890-" + mixed[:24]:                                      mixed[:24],
		"https://hooks.slack.com/services/T12345678/B12345678/" + mixed[:24]: mixed[:24],
		"AKIA" + strings.Repeat("Z", 16):                                     strings.Repeat("Z", 16),
		"aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzKEYz":         "wJalrXUtnFEMI",
		"my_aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzKEYz":    "wJalrXUtnFEMI",
		"AIza" + mixed[:35]:                                                  mixed[:35],
		"npm_" + mixed[:36]:                                                  mixed[:36],
		"hf_" + mixed[:34]:                                                   mixed[:34],
		"Authorization: Bearer " + mixed:                                     mixed,
		"Authorization: Basic dXNlcjpodW50ZXIyMg==":                          "dXNlcjpodW50ZXIyMg",
		"authorization: token " + mixed[:20]:                                 mixed[:20],
		`{"Authorization": "Basic dXNlcjpodW50ZXIyMg=="}`:                    "dXNlcjpodW50ZXIyMg",
		jwt: "dozjgNryP4J3jVmNHl0w5N",
		"https://user:hunter2pw@example.com/repo.git":                "hunter2pw",
		"https://user:pw@example.com":                                ":pw@",
		"postgres://app:s3cr3t@db.internal:5432/app":                 "s3cr3t",
		"mongodb+srv://admin:p%40ss@cluster0.mongodb.net":            "p%40ss",
		"redis://:redispass@localhost:6379":                          "redispass",
		"root:hunter2@tcp(127.0.0.1:3306)/app":                       "hunter2",
		`"token": "abcdef123456"`:                                    "abcdef123456",
		`{"access_token":"` + mixed + `"}`:                           mixed,
		"Cookie: session=abc123def456; theme=dark9":                  "abc123def456",
		"Set-Cookie: sid=s%3Aabc123def456.xyz; Path=/":               "abc123def456",
		"--password hunter2":                                         "hunter2",
		"mysql --password 'tr0ub4dor&3' -e":                          "tr0ub4dor",
		"--token=" + mixed[:20]:                                      mixed[:20],
		"--api-key " + mixed[:20]:                                    mixed[:20],
		"DB_PASSWORD=secret123 DB_TOKEN=" + mixed:                    "secret123",
		"password: hunter22":                                         "hunter22",
		`{\"password\": \"hunter22222\"}`:                            "hunter22222",
		"export MY_API_KEY='" + mixed + "' # mine":                   mixed,
		"AccountKey=" + mixed + "==;EndpointSuffix=core.windows.net": mixed,
		"DefaultEndpointsProtocol=https;AccountName=x;AccountKey=abc123ABC123abc123ABC123==": "abc123ABC123",
		"Server=db;User Id=sa;Password=hunter2!;":                                            "hunter2!",
		"SG." + mixed[:22] + "." + mixed:                                                     mixed[:22],
		"sk_live_" + mixed[:24]:                                                              mixed[:24],
		"dop_v1_" + strings.Repeat(hex[:8], 8):                                               hex[:8] + hex[:8],
		"AGE-SECRET-KEY-1QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHC":          "GF2TVDW0S3JN54",
		"curl -u admin:hunter2 https://example.com":                                          "hunter2",
		"client_secret=" + mixed[:24]:                                                        mixed[:24],
		"-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END RSA PRIVATE KEY-----":     "MIIEvQ",
		`"-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n"`:         "MHcCAQEE",
		"dckr_pat_" + mixed[:27]:                                                             mixed[:27],
		"HEROKU_API_KEY=12345678-abcd-1234-abcd-1234567890ab":                                "12345678-abcd",
		"datadog_app_key: " + hex:                                                            hex,
		"shpat_" + hex[:32]:                                                                  hex[:32],
	}
}

// inFiles are forms that stand in configurations, addresses and the like, and of services of few users.
func inFiles() map[string]string {
	random := "pLIix6MEOLeMa61EqJomTEI1JEzO3joOj37HyVaQXe"
	return map[string]string{
		`{"user": "a", "pass": "Tr0ub4dor3"}`:                        "Tr0ub4dor3",
		"SMTP: PASS='Tr0ub4dor4'":                                    "Tr0ub4dor4",
		"Authorization:Bearer  " + random:                            random,
		"Bearer\t" + random:                                          random,
		"mysql --password\thunter2 -e":                               "hunter2",
		"%20ghp_" + random[:36]:                                      random[:36],
		"my_github_pat_" + random:                                    random,
		"key_AKIAABCDEFGHIJKLMNOP":                                   "ABCDEFGHIJKLMNOP",
		"Cookie: a=1;session=\"abc123def456\"":                       "abc123def456",
		"SECRET_KEY_BASE=" + hex + hex:                               hex,
		`{"auths":{"r.io":{"auth":"dXNlcjpodW50ZXIyMw=="}}}`:         "dXNlcjpodW50ZXIyMw",
		"//r.io/:_auth=dXNlcjpodW50ZXIyNA==":                         "dXNlcjpodW50ZXIyNA",
		"machine r.io login bob password hunter5pw":                  "hunter5pw",
		"<server><password>hunter6pw</password></server>":            "hunter6pw",
		"CREATE USER a IDENTIFIED BY 'hunter7pw'":                    "hunter7pw",
		"https://b.example.com/c?sv=2020&sig=abc123ABCdef456%2Bxyz":  "abc123ABCdef456",
		"https://s3.example.com/b?X-Amz-Signature=" + hex:            hex,
		"https://discord.com/api/webhooks/123456789012345/" + random: random,
		"xai-" + random + random[:38]:                                random,
		"gsk_" + random + random[:10]:                                random,
		"hvs." + random:                                              random,
		"nvapi-" + random:                                            random,
		"GOCSPX-" + random[:28]:                                      random[:28],
	}
}

// inCommands are forms in which commands are given a password, and such with blanks or percent signs in them.
func inCommands() map[string]string {
	return map[string]string{
		`password = "correct horse battery"`:                      "horse battery",
		`DB_PASSWORD='wrong horse 9 battery'`:                     "horse 9 battery",
		`{"password": "fourth horse battery", "x": 1}`:            "horse battery",
		`passphrase: "fifth horse battery"`:                       "horse battery",
		`app.use(session({secret: 'keyboard cat'}))`:              "keyboard cat",
		`mytool --password "sixth horse battery" -v`:              "horse battery",
		"mysql -u root -phunter8pw shop":                          "hunter8pw",
		"mysqldump --host db -p'hunter9pw' shop":                  "hunter9pw",
		"mariadb -uroot -phunterten":                              "hunterten",
		"PGPASSWORD=hunt1 psql -h db":                             "hunt1",
		"PGPASSWORD='hunter 11 pw' psql -h db":                    "hunter 11 pw",
		"MYSQL_PWD=hunter12pw mysql":                              "hunter12pw",
		"https://user:p%40ss13@host/x":                            "ss13",
		"https://user:%40pass14@host/x":                           "pass14",
		"curl -sSu admin:hunter15 https://example.com":            "hunter15",
		"curl --fail https://example.com -u 'admin:hunter 16 pw'": "hunter 16 pw",
		"curl -u admin:%hunter17 https://example.com":             "hunter17",
		"docker login -u bob -p hunter18pw r.io":                  "hunter18pw",
		"podman login -phunter19pw r.io":                          "hunter19pw",
		"sshpass -p hunttwenty ssh -p 22 root@host":               "hunttwenty",
		"sshpass -p 'hunter 21 pw' ssh root@host":                 "hunter 21 pw",
		"redis-cli -h db -a hunter22pw ping":                      "hunter22pw",
		"redis-cli --pass hunter23pw ping":                        "hunter23pw",
		"mongosh -u root -p hunter24pw":                           "hunter24pw",
		"ldapsearch -D cn=a -w hunter25pw":                        "hunter25pw",
	}
}

// overLines are forms whose value stands on the line after its name, or on many.
func overLines() map[string]string {
	return map[string]string{
		"password:\n  hunter31pw":                                                 "hunter31pw",
		"{\n  \"token\":\n    \"abcdef1234532\"\n}":                               "abcdef1234532",
		"{\n  \"password\":\n\n    \"hunter33pw\"\n}":                             "hunter33pw",
		"DB_PASSWORD=\\\nhunter34pw":                                              "hunter34pw",
		"private_key: |\n      MIIEvQIBADANBg35\n      kqhkiG9w0BAQEF35":          "kqhkiG9w0BAQEF35",
		"spec:\n  password: >-\n    hunter36pw\n    and some more36\n  user: bob": "hunter36pw",
		"  api_token: |2\n\n     first3737part\n     second3737part\n":            "second3737part",
		"stringData:\n  tls_private_key: |\n    bWlpZXZxaWJhZGFuYmc38\n  x: y":    "bWlpZXZxaWJhZGFuYmc38",
	}
}
