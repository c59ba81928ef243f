package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"git-ralph/internal/git/config"
	"git-ralph/internal/test/gittest"
)

const testDriver = `true >%A.ralph; git-ralph-merge-driver %O; s="$?"; test $s = 0`

func configItem(found ...config.Setting) Item {
	return Item{Name: "configuration", File: "/config", form: configForm{
		file: "/config", settings: settings(testDriver, []string{testDriver, "former \\ one"}), found: found,
	}}
}

func attributesItem(path string) Item {
	return Item{Name: "attributes", File: "/attributes", form: attributesForm{file: "/attributes", path: path}}
}

// configText draws what users have in configuration files: valid, in any shape.
func configText() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"", "# comment", "  ; [comment]", "[user]", "[merge \"ralph\"]", "[Diff \"ralph\"] # mine", "[a \"b \\\" c\"] x = y",
		"\tname = x", "  odd =\t value with  spaces ; and a comment", "bare", "\tlong = one \\\n  two", "q = \"# \\\" \\\\ ;\"",
		"\u00fc = no", "# git ralph", "# git ralph: beginning", "\trecursive = ralph", "\tname = plan of git ralph", "trail = \\",
	})
	return rapid.Custom(func(t *rapid.T) string {
		ending := rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "ending")
		text := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), ending)
		text = strings.ReplaceAll(text, "\u00fc = no", "u = no")
		text = "[core]" + ending + text
		if rapid.Bool().Draw(t, "ended") {
			text += ending
		}
		return text
	})
}

func attributesText() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"", "# comment", "* text=auto", "*.jsonl merge=union", "[attr]binary -diff", "\"a b\" -text", "ralph/plan.jsonl\tmerge=union",
		"\xff odd", "# git ralph", "ralph/plan.jsonl merge=ralph diff=ralph", "\r",
	})
	return rapid.Custom(func(t *rapid.T) string {
		text := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "ending"))
		return text + rapid.SampledFrom([]string{"", "\n", "\r\n", "\r"}).Draw(t, "end")
	})
}

// docs/promises.md, installing: uninstall gives back every byte, twice is once, and what the user writes around the block
// since stays as they wrote it.
func TestRemoveTakesBackFix(t *testing.T) {
	for name, in := range map[string]struct {
		item Item
		text *rapid.Generator[string]
	}{"configuration": {configItem(), configText()}, "attributes": {attributesItem("ralph/plan.jsonl"), attributesText()}} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := in.text.Draw(t, "text")
				fixed := in.item.Fix(text, false, 0)
				if again := in.item.Fix(fixed, false, 0); again != fixed {
					t.Fatalf("twice is not once:\n%q\n%q", fixed, again)
				}
				if state, _ := in.item.Check(fixed); state != Installed {
					t.Fatalf("state %v of %q", state, fixed)
				}
				rest, remove, _ := in.item.Remove(fixed)
				if rest != text || remove {
					t.Fatalf("%q came back as %q, remove %v", text, rest, remove)
				}
				above, below := "# above\n", "[x]\n\ty = z\n"
				if strings.Contains(fixed, "added above") {
					return
				}
				if rest, _, _ := in.item.Remove(above + fixed + below); rest != above+text+below {
					t.Fatalf("edited: %q came back as %q", text, rest)
				}
			})
		})
	}
}

// A file that was made for the block goes with it, and so do its directories; one that was empty stays.
func TestNewFile(t *testing.T) {
	i := attributesItem("ralph/plan.jsonl")
	for dirs := range 3 {
		rest, remove, gone := i.Remove(i.Fix("", true, dirs))
		if rest != "" || !remove || gone != dirs {
			t.Errorf("%d directories: %q, %v, %d", dirs, rest, remove, gone)
		}
	}
	if rest, remove, _ := i.Remove(i.Fix("", false, 0)); rest != "" || remove {
		t.Errorf("empty file: %q, %v", rest, remove)
	}
	if rest, remove, _ := i.Remove(i.Fix("", true, 1) + "*.x text\n"); rest != "*.x text\n" || remove {
		t.Errorf("used since: %q, %v", rest, remove)
	}
}

// git reads what the block says, and reads everything else as before, whatever stands around it.
func TestGitReadsBlock(t *testing.T) {
	r := gittest.NewDirectory(t)
	file := filepath.Join(r.Home, "config")
	list := func(text string) string {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := r.TryGit("config", "--file", file, "-z", "--list")
		if err != nil {
			return "invalid"
		}
		return out
	}
	item := configItem()
	want := "merge.ralph.name\nplan of git ralph\x00merge.ralph.driver\n" + testDriver + "\x00merge.ralph.recursive\nralph\x00" +
		"diff.ralph.textconv\n" + textconv + "\x00"
	rapid.Check(t, func(t *rapid.T) {
		text := configText().Draw(t, "text")
		if before := list(text); before != "invalid" {
			if after := list(item.Fix(text, false, 0)); after != before+want {
				t.Fatalf("git reads\n%q, before\n%q", after, before)
			}
		}
	})
}

// git's own edits of a file with our block in it come to the same as without it.
func TestGitEditsAroundBlock(t *testing.T) {
	r := gittest.NewDirectory(t)
	file := filepath.Join(r.Home, "config")
	edit := func(text string, args []string) string {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		r.Git(append([]string{"config", "--file", file}, args...)...)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	item := configItem()
	const text = "[core]\n\tx = y # odd\n[user]\n\tname = a\n"
	for _, args := range [][]string{
		{"user.email", "b"},
		{"--unset", "user.name"},
		{"core.x", "z"},
		{"new.section", "1"},
		{"merge.ralph.other", "mine"},
		{"diff.ralph.binary", "true"},
		{"--remove-section", "user"},
		{"--rename-section", "user", "author"},
		{"merge.conflictStyle", "diff3"},
	} {
		rest, _, _ := item.Remove(edit(item.Fix(text, false, 0), args))
		if want := edit(text, args); rest != want {
			t.Errorf("git config %q:\n%s\nwant\n%s", args, rest, want)
		}
	}
	for _, section := range []string{"merge.ralph", "diff.ralph"} {
		rest, _, _ := item.Remove(edit(item.Fix(text, false, 0), []string{"--remove-section", section}))
		if rest != text {
			t.Errorf("without section %s: %q", section, rest)
		}
	}
}

// What the user wrote into the block stays, below its heading, and is shown as theirs.
func TestEditedBlock(t *testing.T) {
	found := config.Setting{File: "/config", Key: "merge.ralph.driver", Value: "mine"}
	item := configItem(found)
	fixed := configItem().Fix("[core]\n", false, 0)
	lines := strings.SplitAfter(fixed, "\n")
	edited := strings.Replace(fixed, lines[3], "\tdriver = mine\n", 1)
	if !strings.Contains(lines[3], "driver") {
		t.Fatalf("line %q", lines[3])
	}
	state, others := item.Check(edited)
	if state != Outdated || len(others) != 1 || others[0].Value != "mine" {
		t.Errorf("state %v, %v", state, others)
	}
	const want = "[core]\n[merge \"ralph\"]\n\tdriver = mine\n"
	if rest, _, _ := item.Remove(edited); rest != want {
		t.Errorf("removed: %q", rest)
	}
	if again := item.Fix(edited, false, 0); !strings.HasPrefix(again, want+"[merge \"ralph\"] "+beginMark) {
		t.Errorf("fixed: %q", again)
	}
	former := strings.Replace(fixed, lines[3], "\tdriver = \"former \\\\ one\"\n", 1)
	if again := configItem().Fix(former, false, 0); again != fixed {
		t.Errorf("former: %q", again)
	}
}

// A block that lost a mark takes nothing of the user's along.
func TestDamagedMarks(t *testing.T) {
	item := configItem()
	fixed := item.Fix("[core]\n", false, 0) + "[user]\n\tname = a\n"
	for name, damaged := range map[string]string{
		"no end":     strings.Replace(fixed, endMark+"\n", "", 1),
		"twice":      fixed + item.Fix("", false, 0),
		"other note": strings.Replace(fixed, beginMark, beginMark+" (whatever)", 1),
	} {
		if rest, _, _ := item.Remove(damaged); rest != "[core]\n[user]\n\tname = a\n" {
			t.Errorf("%s: %q", name, rest)
		}
	}
	noBegin := strings.Replace(fixed, " "+beginMark, "", 1)
	if rest, _, _ := item.Remove(noBegin); !strings.Contains(rest, "git-ralph-merge-driver") || strings.Contains(rest, mark) {
		t.Errorf("no begin: %q", rest)
	}
}

// Comments that begin or end a block, without one, stand for nothing: the block goes where it belongs, the user's lines
// stay, and taking it out takes the comments along. What has neither comes back byte for byte.
func TestMarksAlone(t *testing.T) {
	script := Item{Name: "hook", File: "/hook", Executable: true, form: scriptForm{[]string{"if true; then", "\techo ralph", "fi"}}}
	for name, test := range map[string]struct {
		item               Item
		text, fixed, freed string
	}{
		"end below an exit": {script, "#!/bin/sh\nexit 0\n" + endMark + "\nb\n", "#!/bin/sh\nBLOCKexit 0\nb\n", "#!/bin/sh\nexit 0\nb\n"},
		"end in a text":     {script, "#!/bin/sh\ncat <<E\n" + endMark + "\nE\n", "#!/bin/sh\nBLOCKcat <<E\nE\n", "#!/bin/sh\ncat <<E\nE\n"},
		"begin":             {script, "#!/bin/sh\na\n" + beginMark + "\nb", "#!/bin/sh\nBLOCKa\nb", "#!/bin/sh\na\nb"},
		"end above begin":   {script, endMark + "\na\n" + beginMark, "BLOCKa\n", "a\n"},
		"nothing between":   {script, "a\n" + beginMark + "\n" + endMark + "\nb\n", "BLOCKa\nb\n", "a\nb\n"},
		"end above a block": {script, "a\n" + endMark + "\nBLOCKb\n", "a\nBLOCKb\n", "a\nb\n"},
		"end below a block": {script, "a\nBLOCKb\n" + endMark + "\n", "a\nBLOCKb\n", "a\nb\n"},
		"end in a section": {
			configItem(), "[user]\n\tname = a\n" + endMark + "\n\temail = b\n",
			"[user]\n\tname = a\n\temail = b\nBLOCK", "[user]\n\tname = a\n\temail = b\n",
		},
		"end of attributes": {attributesItem("p"), endMark + "\n* text\n", "* text\nBLOCK", "* text\n"},
		"none":              {configItem(), "[a]\n\tb = c \\\n", "", "[a]\n\tb = c \\\n"},
	} {
		block := test.item.Fix("", false, 0)
		text := strings.Replace(test.text, "BLOCK", block, 1)
		isTorn := test.fixed != "" && !strings.Contains(test.text, "BLOCK")
		if state, _ := test.item.Check(text); isTorn && (state != Missing || !Has(text)) {
			t.Errorf("%s: state %v", name, state)
		}
		if got, want := test.item.Fix(text, false, 0), strings.Replace(test.fixed, "BLOCK", block, 1); got != want && want != "" {
			t.Errorf("%s: fixed\n%s\nwant\n%s", name, got, want)
		}
		for _, text := range []string{text, test.item.Fix(text, false, 0)} {
			if rest, _, _ := test.item.Remove(text); rest != test.freed {
				t.Errorf("%s: removed %q, want %q", name, rest, test.freed)
			}
		}
	}
}

// TestBlocksOfOlderPrograms guards: what a block in a user's file remembers is read whatever program wrote it, so its
// spelling never changes.
func TestBlocksOfOlderPrograms(t *testing.T) {
	o, ok := parseOpening("# git ralph: begin (new file in 2 new folders)\n")
	if !ok || o.creation.dirs != 2 || !o.creation.newFile || o.creation.String() != "# git ralph: begin (new file in 2 new folders)" {
		t.Errorf("%+v, %v, %q", o, ok, o.creation)
	}
}
