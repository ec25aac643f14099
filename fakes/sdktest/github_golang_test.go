package sdktest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/google/go-github/v82/github"
)

// githubAgent is go-github at the same work as node/github.mjs.
func githubAgent(work string) int {
	ctx := context.Background()
	c, err := githubClient("ghp_sdk")
	var found map[string]any
	if err == nil {
		found, err = map[string]func(context.Context, *github.Client) (map[string]any, error){
			"page": githubPages, "fail": githubFails, "lose": githubLoses, "limit": githubLimits,
		}[work](ctx, c)
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(found)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", work, err)
		return 2
	}
	return 0
}

func githubClient(token string) (*github.Client, error) {
	c := github.NewClient(nil).WithAuthToken(token)
	if base := os.Getenv("GITHUB_BASE"); base != "" {
		at, err := c.BaseURL.Parse(base + "/")
		if err != nil {
			return nil, err
		}
		c.BaseURL = at
	}
	return c, nil
}

func githubPages(ctx context.Context, c *github.Client) (map[string]any, error) {
	name := "pages"
	if _, _, err := c.Repositories.Create(ctx, "", &github.Repository{Name: &name}); err != nil {
		return nil, err
	}
	for i := range 21 {
		title := fmt.Sprint("Issue ", i)
		if _, _, err := c.Issues.Create(ctx, "octocat", name, &github.IssueRequest{Title: &title}); err != nil {
			return nil, err
		}
	}
	found := map[string]any{}
	for _, size := range []int{10, 7} {
		var seen []int
		options := &github.IssueListByRepoOptions{ListOptions: github.ListOptions{PerPage: size}}
		for {
			all, reply, err := c.Issues.ListByRepo(ctx, "octocat", name, options)
			if err != nil {
				return nil, err
			}
			for _, issue := range all {
				seen = append(seen, issue.GetNumber())
			}
			if reply.NextPage == 0 {
				break
			}
			options.ListOptions.Page = reply.NextPage
		}
		ordered := slices.IsSortedFunc(seen, func(a, b int) int { return b - a })
		found[fmt.Sprint("by_", size)] = map[string]any{"seen": len(seen), "newest_first": ordered}
	}
	return found, nil
}

// githubFailure is an error of the client's, by its class.
func githubFailure(err error) []any {
	var refused *github.ErrorResponse
	if !errors.As(err, &refused) {
		return []any{fmt.Sprintf("%T", err)}
	}
	told := []any{"ErrorResponse", refused.Response.StatusCode, refused.Message}
	for _, one := range refused.Errors {
		told = append(told, one.Code)
	}
	return told
}

func githubFails(ctx context.Context, c *github.Client) (map[string]any, error) {
	name, text, none := "errors", "x", ""
	if _, _, err := c.Repositories.Create(ctx, "", &github.Repository{Name: &name}); err != nil {
		return nil, err
	}
	_, _, empty := c.Repositories.ListCommits(ctx, "octocat", name, nil)
	made, _, err := c.Repositories.CreateFile(ctx, "octocat", name, "a.txt", &github.RepositoryContentFileOptions{Message: &text, Content: []byte("a")})
	if err != nil {
		return nil, err
	}
	change := &github.RepositoryContentFileOptions{Message: &text, Content: []byte("b"), SHA: made.Content.SHA}
	if _, _, err := c.Repositories.UpdateFile(ctx, "octocat", name, "a.txt", change); err != nil {
		return nil, err
	}
	_, _, stale := c.Repositories.UpdateFile(ctx, "octocat", name, "a.txt", change)
	_, _, absent := c.Issues.Get(ctx, "octocat", name, 99)
	_, _, untitled := c.Issues.Create(ctx, "octocat", name, &github.IssueRequest{Title: &none})
	bad, err := githubClient("nonsense")
	if err != nil {
		return nil, err
	}
	_, _, unknown := bad.Users.Get(ctx, "")
	return map[string]any{
		"empty": githubFailure(empty), "stale": githubFailure(stale)[:2], "absent": githubFailure(absent), "untitled": githubFailure(untitled), "unknown": githubFailure(unknown),
	}, nil
}

func githubLoses(ctx context.Context, c *github.Client) (map[string]any, error) {
	name := "lost"
	if _, _, err := c.Repositories.Create(ctx, "", &github.Repository{Name: &name}); err != nil {
		return nil, err
	}
	found := map[string]any{}
	for _, title := range []string{"plain", "retried"} {
		_, _, err := c.Issues.Create(ctx, "octocat", name, &github.IssueRequest{Title: &title})
		said := "none"
		if err != nil {
			said = "error"
			if told := githubFailure(err); len(told) > 1 {
				said = fmt.Sprintf("%v %v", told[0], told[1])
			}
		}
		found[title] = []any{said, 0}
	}
	all, _, err := c.Issues.ListByRepo(ctx, "octocat", name, nil)
	if err != nil {
		return nil, err
	}
	for _, issue := range all {
		told, _ := found[issue.GetTitle()].([]any)
		n, _ := told[1].(int)
		told[1] = n + 1
	}
	return found, nil
}

func githubLimits(ctx context.Context, c *github.Client) (map[string]any, error) {
	_, _, err := c.Users.Get(ctx, "")
	var limited *github.AbuseRateLimitError
	told := []any{fmt.Sprintf("%T", err), 0}
	if errors.As(err, &limited) {
		told = []any{"AbuseRateLimitError", int(limited.GetRetryAfter() / time.Second)}
	}
	var user *github.User
	for range 5 { // the client keeps itself from calling until then
		time.Sleep(1100 * time.Millisecond)
		if user, _, err = c.Users.Get(ctx, ""); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	return map[string]any{"plain": told, "login": user.GetLogin()}, nil
}
