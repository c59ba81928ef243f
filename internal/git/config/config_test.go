package config_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
	"git-ralph/internal/test/gittest"

	"pgregory.net/rapid"
)

// configPieces are what generated configuration files are put together from.
var configPieces = []string{
	"[ralph]", "[Ralph]", "[core]", "[ralph \"Sub\"]", "[ralph \"a\\\"b\\\\c\"]", "[ralph.Old]", "[a-b]", "[ralph \"\"]", "[ ralph ]", "[]",
	"\n", "\n", "\n", " ", "\t", "\r\n", "key", "Key2", "plan", "-bad", "k_ey", "=", " = ", "= ", "value", "two words", "two  \t words",
	"\"quoted # ; \"", "\"", "\\", "\\\n", "\\n", "\\t", "\\\\", "\\\"", "\\x", "#comment", ";comment", "true", "ümlaut", "1k", "0", "no",
	"key = value\n", "\tplan = \"x y\"  # c\n", "bare\n", "key=\n", "[core]\n\tbare2 = false\n", "\"\"  x", " tail \n",
}

// Settings are read as `git config` reads them, or not at all: then git answers.
func TestConfigAgreesWithGit(t *testing.T) {
	r := gittest.NewRepo(t)
	original := r.ReadFile(".git/config")
	rapid.Check(t, func(rt *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom(configPieces), 0, 12).Draw(rt, "pieces")
		r.WriteFile(".git/config", original+strings.Join(pieces, ""))
		out, gitErr := r.TryGit("config", "--list", "-z", "--includes")
		repo, err := git.Open(context.Background(), r.Dir, r.Env)
		if gitErr != nil {
			return // git refuses; whether we do by ourselves or by asking is the same
		}
		if err != nil {
			rt.Fatal(err)
		}
		config, err := repo.Config(context.Background())
		if err != nil {
			rt.Fatal(err)
		}
		want := map[string][]string{}
		for item := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
			key, value, _ := strings.Cut(item, "\n")
			want[key] = append(want[key], value)
		}
		for key, values := range want {
			if got := config.GetAll(key); !slices.Equal(got, values) {
				rt.Errorf("%s is %q, want %q", key, got, values)
			}
		}
	})
	r.WriteFile(".git/config", original)
}

// Truth values are git's.
func TestConfigBool(t *testing.T) {
	r := gittest.NewRepo(t)
	for i, value := range []string{"true", "YES", "on", "false", "No", "off", "", "0", "1", "2k", "-1", "0x10", "maybe", "1x", "truee", " true "} {
		key := "ralph.k" + string(rune('a'+i))
		r.Git("config", key, value)
		config, err := mustOpen(t, r).Config(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got, err := config.Bool(key, false)
		want, gitErr := r.TryGit("config", "--type=bool", key)
		if (err != nil) != (gitErr != nil) || err == nil && got != (want == "true") {
			t.Errorf("%q: %v, %v; git says %s, %v", value, got, err, want, gitErr)
		}
	}
	config, _ := mustOpen(t, r).Config(context.Background())
	if got, err := config.Bool("ralph.none", true); !got || err != nil {
		t.Errorf("default: %v, %v", got, err)
	}
}

// All sources count, in git's order, and those that we do not judge are left to git.
func TestConfigSources(t *testing.T) {
	for name, make := range map[string]func(*gittest.Repo) *gittest.Repo{
		"user":  func(r *gittest.Repo) *gittest.Repo { r.Git("config", "--global", "ralph.plan", "user"); return r },
		"local": func(r *gittest.Repo) *gittest.Repo { r.Git("config", "ralph.plan", "local"); return r },
		"include": func(r *gittest.Repo) *gittest.Repo {
			r.Git("config", "include.path", "more")
			r.WriteFile(".git/more", "[ralph]\n\tplan = included\n[include]\n\tpath = missing\n")
			return r
		},
		"include from home": func(r *gittest.Repo) *gittest.Repo {
			r.Git("config", "--global", "include.path", "~/more")
			r.WriteFile("../home/more", "[ralph]\n\tother = home\n")
			return r
		},
		"condition": func(r *gittest.Repo) *gittest.Repo {
			r.Git("config", "includeIf.onbranch:main.path", "branch")
			r.WriteFile(".git/branch", "[ralph]\n\tplan = on-main\n")
			return r
		},
		"command line": func(r *gittest.Repo) *gittest.Repo {
			return r.Setenv("GIT_CONFIG_COUNT", "1").Setenv("GIT_CONFIG_KEY_0", "ralph.plan").Setenv("GIT_CONFIG_VALUE_0", "env")
		},
		"git -c": func(r *gittest.Repo) *gittest.Repo { return r.Setenv("GIT_CONFIG_PARAMETERS", "'ralph.plan'='param'") },
		"XDG only": func(r *gittest.Repo) *gittest.Repo {
			r.WriteFile("../home/.config/git/config", "[ralph]\n\tplan = xdg\n")
			return r.Setenv("GIT_CONFIG_GLOBAL", "")
		},
		"worktree": func(r *gittest.Repo) *gittest.Repo {
			r.Git("config", "extensions.worktreeConfig", "true")
			r.Git("config", "--worktree", "ralph.plan", "worktree")
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := make(gittest.NewRepo(t))
			config, err := mustOpen(t, r).Config(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"ralph.plan", "ralph.other", "core.bare", "Core.FileMode"} {
				want, gitErr := r.TryGit("config", "--includes", key)
				if got, ok := config.Get(key); ok != (gitErr == nil) || got != want {
					t.Errorf("%s is %q, %v; want %q", key, got, ok, want)
				}
			}
		})
	}
}

func mustOpen(t *testing.T, r *gittest.Repo) *git.Repo {
	t.Helper()
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

// In a hook, where git puts the directory of its own programs first on the PATH, settings are read without a process too.
func TestConfigInHook(t *testing.T) {
	r := gittest.NewRepo(t)
	own := strings.TrimSpace(r.Git("--exec-path"))
	if !slices.Contains([]string{"/usr/lib/git-core", "/usr/libexec/git-core", "/usr/local/libexec/git-core"}, own) {
		t.Skipf("git's own programs are in %s", own)
	}
	files := config.Files{
		Environ: []string{"HOME=" + t.TempDir()}, Program: own + "/git", GitDir: r.Dir + "/.git", CommonDir: r.Dir + "/.git",
		Run: func(context.Context, ...string) ([]byte, error) { return nil, errors.New("a process was started") },
	}
	if _, err := files.Read(context.Background()); err != nil {
		t.Error(err)
	}
}
