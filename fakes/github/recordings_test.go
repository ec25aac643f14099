package github_test

import (
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/github"
)

// frozen are the recorded exchanges that are not met, and why.
var frozen = faketest.Frozen{
	"github3-branch-latest-sha.json#3":                                                "in 2018 a 304 told a content type",
	"github3-checkapp-create-check-run.json#2":                                        "an app's token of 2021 had no access that the flags show, not even to read",
	"github3-checkapp-create-check-run.json#5":                                        "the rig has one token for all calls; that of an installation is refused",
	"github3-issue-edit-both-assignee-and-assignees.json#1":                           "assignee is not the first of assignees, in an issue of 2016",
	"github3-organization-publicize-member.json#3":                                    "in 2017 a 204 told a content type",
	"github3-repository-create-commit-with-empty-committer.json#2":                    "what breaks the contract is worded without a call: no limits, no scopes, no clock to tell the age of documentation",
	"hub4j-ghcontentintegrationtest-testcrudcontent.json#16":                          "a tree that the conversation makes of files that nothing in it tells",
	"hub4j-ghcontentintegrationtest-testcrudcontent.json#17":                          "a tree that the conversation makes of files that nothing in it tells",
	"hub4j-ghcontentintegrationtest-testcrudcontent.json#18":                          "a tree that the conversation makes of files that nothing in it tells",
	"hub4j-ghcontentintegrationtest-testcrudcontent.json#7":                           "a tree that the conversation makes of files that nothing in it tells",
	"hub4j-ghcontentintegrationtest-testcrudcontent.json#8":                           "a tree that the conversation makes of files that nothing in it tells",
	"hub4j-ghcontentintegrationtest-testcrudcontent.json#9":                           "a tree that the conversation makes of files that nothing in it tells",
	"hub4j-ghissuetest-removelabels.json#6":                                           "temp_clone_token is another at each call",
	"hub4j-ghpullrequesttest-updateoutdatedbranchesunexpectedhead.json#5":             "the conversation was put together of two, with two callers",
	"hub4j-ghpullrequesttest-updateoutdatedbranchesunexpectedhead.json#6":             "that the base has moved on cannot be known",
	"hub4j-ghpullrequesttest-updateoutdatedbranchesunexpectedhead.json#9":             "GitHub had not taken note of the moved head yet, two seconds later",
	"octokit-fixtures-search-issues.json#3":                                           "the rig has one token for all calls; here another person opened the issue",
	"octokit-fixtures-search-issues.json#4":                                           "as #3",
	"octokit-rb-commits-merges-a-branch-into-another.json#1":                          "the words of 2013",
	"octokit-rb-commits-merges-a-branch-into-another.json#6":                          "one masked login stands for two people",
	"octokit-rb-pullrequests-returns-whether-the-pull-request-has-been-merged.json#1": "addresses of 2013",
	"octokit-rb-pullrequests-returns-whether-the-pull-request-has-been-merged.json#3": "addresses of 2013",
	"octokit-rb-pullrequests-returns-whether-the-pull-request-has-been-merged.json#4": "addresses of 2014",
	"octokit-rb-pullrequests-returns-whether-the-pull-request-has-been-merged.json#6": "addresses of 2014",
	"octokit-rb-refs-deletes-an-existing-branch.json#5":                               "one masked login stands for two people",
	"octokit-rb-releases-deletes-a-release.json#1":                                    "addresses of 2013",
	"octokit-rb-releases-deletes-a-release.json#4":                                    "one masked login stands for two people",
	"octokit-rb-repositories-checks-if-a-user-is-a-repository-collaborator.json#1":    "fields and addresses of 2013",
	"octokit-rb-repositories-checks-if-a-user-is-a-repository-collaborator.json#4":    "the recorded token had no delete_repo",
}

func TestRecordedConversations(t *testing.T) {
	t.Parallel()
	service, err := github.New()
	if err != nil {
		t.Fatal(err)
	}
	faketest.Recorded(t, service, "github", prepare, frozen)
}
