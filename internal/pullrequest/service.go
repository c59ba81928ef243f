package pullrequest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"git-ralph/internal/github/api"
	"git-ralph/internal/github/pull"
)

// The statuses by which GitHub refuses to create a pull request, to merge it now, and to merge it at another commit.
const (
	unprocessable = 422
	notAllowed    = 405
	conflict      = 409
)

// A Service is the pull requests of one repository at GitHub.
type Service struct {
	Client *api.Client
	Method string // how pull requests are merged: merge, squash or rebase; "": the first of these that the repository allows
}

// DefaultBranch returns the name of the repository's default branch.
func (s Service) DefaultBranch(ctx context.Context) (string, error) {
	var repository struct {
		Branch string `json:"default_branch"`
	}
	err := s.Client.Get(ctx, s.Client.Target().Path(""), &repository)
	if err == nil && repository.Branch == "" {
		err = errors.New("GitHub does not say which branch is the default one")
	}
	return repository.Branch, err
}

// Protected reports whether pushes to a branch are restricted.
func (s Service) Protected(ctx context.Context, branch string) (bool, error) {
	var reply struct {
		Protected *bool `json:"protected"`
	}
	err := s.Client.Get(ctx, s.Client.Target().Path("/branches/%s", url.PathEscape(branch)), &reply)
	if err == nil && reply.Protected == nil {
		err = fmt.Errorf("GitHub does not say whether %s is protected", branch)
	}
	return err == nil && *reply.Protected, err
}

// A listed pull request is one in the form of the REST interface.
type listed struct {
	Number int    `json:"number"`
	State  string `json:"state"`
	Merged string `json:"merged_at"`
	Head   struct {
		Ref  string `json:"ref"`
		SHA  string `json:"sha"`
		Repo struct {
			Name string `json:"full_name"`
		} `json:"repo"`
	} `json:"head"`
	Base struct {
		Ref string `json:"ref"`
	} `json:"base"`
}

// Find returns the number of the pull request of a branch: the open one, else the newest one that ended at the commit; 0 where there is
// none. What a fork asks with a branch of that name is not ours.
func (s Service) Find(ctx context.Context, branch, base, commit string) (number int, err error) {
	target, open := s.Client.Target(), false
	path := target.Path("/pulls?state=all&per_page=100&head=%s&base=%s", url.QueryEscape(target.Owner+":"+branch), url.QueryEscape(base))
	err = s.Client.Pages(ctx, path, func(page []json.RawMessage) error {
		for _, text := range page {
			var l listed
			if err := json.Unmarshal(text, &l); err != nil {
				return fmt.Errorf("GitHub listed a pull request that cannot be read: %w", err)
			}
			isOurs := l.Head.Ref == branch && l.Base.Ref == base && strings.EqualFold(l.Head.Repo.Name, target.Owner+"/"+target.Repo)
			switch {
			case !isOurs || open:
			case l.State == "open":
				number, open = l.Number, true
			case l.Head.SHA == commit:
				number = max(number, l.Number)
			}
		}
		return nil
	})
	return number, err
}

// ErrNothingToMerge says that the base has all commits of a branch already.
var ErrNothingToMerge = errors.New("there is nothing to merge")

// Open returns the pull request of a branch, which is at a commit. It is created where there is none. One that was closed, or merged, at
// this very commit is returned, too.
func (s Service) Open(ctx context.Context, branch, base, commit string, subject pull.Subject, files string) (pull.Request, error) {
	for try := 1; ; try++ {
		number, err := s.Find(ctx, branch, base, commit)
		if err != nil {
			return pull.Request{}, err
		}
		if number > 0 {
			return s.Read(ctx, number)
		}
		var made listed
		err = s.Client.Send(ctx, "POST", s.Client.Target().Path("/pulls"), map[string]any{
			"title": subject.TitleLine(), "head": branch, "base": base, "body": subject.Body(files),
		}, &made)
		const maxTries = 4
		_, uncertain := errors.AsType[*api.UncertainError](err)
		refused := api.IsStatus(err, unprocessable)
		switch {
		case err == nil:
			return s.Read(ctx, made.Number)
		case refused && strings.Contains(err.Error(), "No commits between"):
			return pull.Request{}, fmt.Errorf("%w: %s has all that is on %s", ErrNothingToMerge, base, branch)
		case try == maxTries, !uncertain && (!refused || !strings.Contains(err.Error(), "already exists")):
			return pull.Request{}, err
		}
	}
}

// query asks for all that merging depends on, at one moment.
const query = `query RalphPull($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      number url state isDraft headRefName headRefOid baseRefName mergeable mergeStateStatus reviewDecision
      mergeCommit { oid }
      commits(last: 1) { nodes { commit { oid statusCheckRollup { state } } } }
      latestOpinionatedReviews(last: 100, writersOnly: true) { nodes { state commit { oid } } }
    }
  }
}`

type oid struct {
	OID string `json:"oid"`
}

// node is a pull request in the form of the GraphQL interface.
type node struct {
	Number           int    `json:"number"`
	URL              string `json:"url"`
	State            string `json:"state"`
	IsDraft          bool   `json:"isDraft"`
	HeadRefName      string `json:"headRefName"`
	HeadRefOID       string `json:"headRefOid"`
	BaseRefName      string `json:"baseRefName"`
	Mergeable        string `json:"mergeable"`
	MergeStateStatus string `json:"mergeStateStatus"`
	ReviewDecision   string `json:"reviewDecision"`
	MergeCommit      oid    `json:"mergeCommit"`
	Commits          struct {
		Nodes []struct {
			Commit struct {
				oid
				StatusCheckRollup struct {
					State string `json:"state"`
				} `json:"statusCheckRollup"`
			} `json:"commit"`
		} `json:"nodes"`
	} `json:"commits"`
	LatestOpinionatedReviews struct {
		Nodes []struct {
			State  string `json:"state"`
			Commit oid    `json:"commit"`
		} `json:"nodes"`
	} `json:"latestOpinionatedReviews"`
}

// Read reads a pull request.
func (s Service) Read(ctx context.Context, number int) (pull.Request, error) {
	var data struct {
		Repository struct {
			PullRequest *node `json:"pullRequest"`
		} `json:"repository"`
	}
	target := s.Client.Target()
	err := s.Client.Query(ctx, "RalphPull", query, map[string]any{"owner": target.Owner, "repo": target.Repo, "number": number}, &data)
	if err != nil {
		return pull.Request{}, err
	}
	n := data.Repository.PullRequest
	if n == nil {
		return pull.Request{}, fmt.Errorf("GitHub has no pull request #%d in %s/%s", number, target.Owner, target.Repo)
	}
	return n.request(), nil
}

func (n *node) request() pull.Request {
	r := pull.Request{
		Number: n.Number, URL: n.URL, State: n.State, Draft: n.IsDraft, Branch: n.HeadRefName, Head: n.HeadRefOID, Base: n.BaseRefName,
		Mergeable: n.Mergeable, Blocked: n.MergeStateStatus, Decision: n.ReviewDecision, Merge: n.MergeCommit.OID,
	}
	for _, c := range n.Commits.Nodes {
		if r.Checks = c.Commit.StatusCheckRollup.State; c.Commit.OID != n.HeadRefOID {
			r.Checks = "EXPECTED" // the branch has just moved
		}
	}
	for _, review := range n.LatestOpinionatedReviews.Nodes {
		if review.State == "APPROVED" {
			r.ApprovedAt = append(r.ApprovedAt, review.Commit.OID)
		}
	}
	return r
}

// Merge merges a pull request that is ready, at the commit that it was read at, and no other one. It returns the pull request as it is
// then: where it was refused, or its branch moved meanwhile, that is still open, and why is what GitHub said.
func (s Service) Merge(ctx context.Context, r pull.Request) (now pull.Request, why string, err error) {
	methods := []string{"merge", "squash", "rebase"}
	if s.Method != "" {
		methods = []string{s.Method}
	}
	for _, method := range methods {
		err := s.Client.Send(ctx, "PUT", s.Client.Target().Path("/pulls/%d/merge", r.Number), map[string]any{"sha": r.Head, "merge_method": method}, nil)
		refused, _ := errors.AsType[*api.StatusError](err)
		if err != nil && !api.IsStatus(err, notAllowed) && !api.IsStatus(err, conflict) {
			return r, "", err
		}
		if now, err = s.Read(ctx, r.Number); err != nil {
			return r, "", err
		}
		if refused == nil || now.State != pull.Open {
			return now, "", nil
		}
		if why = strings.Join(strings.Fields(refused.Message), " "); !strings.Contains(why, "not allowed on this repository") {
			break
		}
	}
	return now, why, nil
}
