package github

import (
	"net/http"

	"parity/fakes/kit"
)

// handlers maps each operation to what answers it. One that is reached by the
// number of its repository is answered alike.
func handlers() map[string]handler {
	all := map[string]handler{
		"meta/root": root, "meta/get-zen": zen, "graphql/query": graphQL, "rate-limit/get": rateLimit,
		"users/get-authenticated": getViewer, "users/get-by-username": getUser,

		"orgs/get": onOrg(getOrg), "orgs/list-for-authenticated-user": listMyOrgs, "orgs/list-members": onOrg(listMembers),
		"orgs/check-membership-for-user": onOrg(checkMember), "orgs/remove-member": kit.With((*call).orgAdmin, removeMembership),
		"orgs/list-public-members":                                onOrg(listPublicMembers),
		"orgs/check-public-membership-for-user":                   onOrg(checkPublicMember),
		"orgs/set-public-membership-for-authenticated-user":       publicize(true),
		"orgs/remove-public-membership-for-authenticated-user":    publicize(false),
		"orgs/get-membership-for-user":                            onOrg(getMembership),
		"orgs/set-membership-for-user":                            kit.With((*call).orgAdmin, setMembership),
		"orgs/remove-membership-for-user":                         kit.With((*call).orgAdmin, removeMembership),
		"actions/list-org-secrets":                                onSecrets(false, listSecrets),
		"actions/get-org-public-key":                              onSecrets(false, publicKey),
		"actions/get-org-secret":                                  onSecrets(false, getSecret),
		"actions/create-or-update-org-secret":                     onSecrets(true, setSecret),
		"actions/delete-org-secret":                               onSecrets(true, deleteSecret),
		"actions/list-repo-secrets":                               onSecrets(false, listSecrets),
		"actions/get-repo-public-key":                             onSecrets(false, publicKey),
		"actions/get-repo-secret":                                 onSecrets(false, getSecret),
		"actions/create-or-update-repo-secret":                    onSecrets(true, setSecret),
		"actions/delete-repo-secret":                              onSecrets(true, deleteSecret),
		"apps/create-installation-access-token":                   createInstallationToken,
		"apps/get-by-slug":                                        getApp,
		"activity/list-notifications-for-authenticated-user":      listNotifications,
		"activity/mark-notifications-as-read":                     markRead,
		"activity/get-thread":                                     kit.With((*call).threadAt, getThread),
		"activity/mark-thread-as-read":                            kit.With((*call).threadAt, markThreadRead),
		"activity/mark-repo-notifications-as-read":                onRepository(markRepoRead),
		"search/issues-and-pull-requests":                         searching(searchIssues),
		"search/code":                                             searching(searchCode),
		"search/repos":                                            searching(searchRepositories),
		"search/users":                                            searching(searchUsers),
		"activity/list-repo-notifications-for-authenticated-user": onRepository(listRepoNotifications),
	}
	for _, more := range []map[string]handler{repoHandlers(), gitHandlers(), issueHandlers(), pullHandlers(), boardHandlers(), actionsHandlers(), gistHandlers()} {
		for id, answers := range more {
			all[id] = answers
		}
	}
	return all
}

func repoHandlers() map[string]handler {
	return map[string]handler{
		"repos/list-for-authenticated-user": listViewerRepositories, "repos/create-for-authenticated-user": createViewerRepository,
		"repos/list-for-user": listUserRepositories, "repos/list-for-org": onOrg(listOrgRepositories), "repos/create-in-org": createOrgRepository,
		"repos/get": onRepository(getRepository), "repos/update": onWritable(levelAdmin, updateRepository),
		"repos/delete": onRepository(deleteRepository), "repos/list-forks": onRepository(listForks),
		"repos/create-fork": onRepository(createFork), "repos/list-languages": onRepository(listLanguages),
		"repos/get-all-topics": onRepository(getTopics), "repos/replace-all-topics": onWritable(levelAdmin, replaceTopics),
		"repos/list-contributors": onRepository(listContributors), "repos/list-teams": onRepository(listTeams),
		"repos/get-contributors-stats":    statistics(contributorStats),
		"repos/get-commit-activity-stats": statistics(commitActivity),
		"repos/get-participation-stats":   statistics(participation),

		"repos/list-collaborators": onRepository(listCollaborators), "repos/check-collaborator": onRepository(checkCollaborator),
		"repos/add-collaborator":    onWritable(levelAdmin, addCollaborator),
		"repos/remove-collaborator": onWritable(levelAdmin, removeCollaborator), "repos/get-collaborator-permission-level": onRepository(collaboratorLevel),
		"repos/list-invitations":                          onWritable(levelAdmin, listInvitations),
		"repos/update-invitation":                         onWritable(levelAdmin, its(kept(invitations, "invitation_id"), updateInvitation)),
		"repos/delete-invitation":                         onWritable(levelAdmin, its(kept(invitations, "invitation_id"), deleteInvitation)),
		"repos/list-invitations-for-authenticated-user":   listMyInvitations,
		"repos/accept-invitation-for-authenticated-user":  answerInvitation(true),
		"repos/decline-invitation-for-authenticated-user": answerInvitation(false),

		"repos/list-releases": onRepository(listReleases), "repos/create-release": onWritable(levelWrite, createRelease),
		"repos/get-latest-release": onRepository(getLatestRelease),
		"repos/get-release-by-tag": onRepository(getReleaseByTag), "repos/get-release": onRepository(its((*call).releaseAt, getRelease)),
		"repos/update-release":       onWritable(levelWrite, its((*call).releaseAt, updateRelease)),
		"repos/delete-release":       onWritable(levelWrite, its((*call).releaseAt, deleteRelease)),
		"repos/list-release-assets":  onRepository(its((*call).releaseAt, listAssets)),
		"repos/upload-release-asset": onWritable(levelWrite, its((*call).releaseAt, uploadAsset)),
		"repos/get-release-asset":    onAsset(levelRead, getAsset),
		"repos/update-release-asset": onAsset(levelWrite, updateAsset),
		"repos/delete-release-asset": onAsset(levelWrite, deleteAsset),

		"activity/list-repos-starred-by-authenticated-user": listStarred, "activity/check-repo-is-starred-by-authenticated-user": onRepository(checkStar),
		"activity/star-repo-for-authenticated-user":   onRepository(star),
		"activity/unstar-repo-for-authenticated-user": untie(starKind),
		"activity/list-stargazers-for-repo":           listTied(starKind),
		"activity/list-watchers-for-repo":             listTied(subscriptionKind),
		"activity/get-repo-subscription":              onRepository(getSubscription),
		"activity/set-repo-subscription":              onRepository(setSubscription),
		"activity/delete-repo-subscription":           untie(subscriptionKind),

		"repos/list-deploy-keys": onWritable(levelAdmin, listKeys), "repos/create-deploy-key": onWritable(levelAdmin, createKey),
		"repos/get-deploy-key":    onKept(deployKeys, "key_id", levelAdmin, getKey),
		"repos/delete-deploy-key": onKept(deployKeys, "key_id", levelAdmin, deleteKey),
		"repos/list-deployments":  onRepository(listDeployments), "repos/create-deployment": onWritable(levelWrite, createDeployment),
		"repos/get-deployment":           onKept(deployments, "deployment_id", levelRead, getDeployment),
		"repos/delete-deployment":        onKept(deployments, "deployment_id", levelWrite, deleteDeployment),
		"repos/list-deployment-statuses": onKept(deployments, "deployment_id", levelRead, listDeploymentStatuses),
		"repos/create-deployment-status": onKept(deployments, "deployment_id", levelWrite, createDeploymentStatus),

		"repos/list-webhooks": onWritable(levelAdmin, listHooks), "repos/create-webhook": onWritable(levelAdmin, createHook),
		"repos/get-webhook": onHook(getHook), "repos/update-webhook": onHook(updateHook),
		"repos/delete-webhook": onHook(deleteHook), "repos/ping-webhook": onHook(pingHook), "repos/list-webhook-deliveries": onHook(listDeliveries),
		"repos/redeliver-webhook-delivery": onHook(redeliver),
	}
}

func gitHandlers() map[string]handler {
	return map[string]handler{
		"repos/get-branch-protection": getProtection, "repos/update-branch-protection": kit.WithTwo((*call).guardedBranch, setProtection),
		"repos/delete-branch-protection":      kit.WithTwo((*call).guardedBranch, deleteProtection),
		"repos/list-comments-for-commit":      onRepository(listCommitComments),
		"repos/create-commit-comment":         onRepository(where((*call).mayComment, createCommitComment)),
		"repos/list-commit-comments-for-repo": onRepository(listRepoCommitComments),
		"repos/get-commit-comment":            onCommitComment(getCommitComment),
		"repos/update-commit-comment":         onCommitComment(updateCommitComment),
		"repos/delete-commit-comment":         onCommitComment(deleteCommitComment),

		advertiseOperation: advertiseRefs, fetchOperation: fetchPack, pushOperation: takePush,

		"repos/list-branches": onRepository(listBranches), "repos/get-branch": getBranch, "repos/list-tags": onRepository(listTags),
		"repos/get-readme":  onRepository(getReadme),
		"repos/get-content": onRepository(getContent), "repos/get-content-root": onRepository(getContent), "repos/get-content-slash": onRepository(getContent),
		"repos/create-or-update-file-contents": onWritable(levelWrite, writeFile), "repos/delete-file": onWritable(levelWrite, deleteFile),
		"repos/download-tarball-archive": onRepository(archive), "repos/download-zipball-archive": onRepository(archive),
		"repos/merge":        onWritable(levelWrite, mergeBranch),
		"repos/list-commits": onRepository(where((*call).notEmpty, listCommits)), "repos/get-commit": getCommit,
		"repos/list-branches-for-head-commit": onRepository(listHeads),
		"repos/compare-commits-with-basehead": compare,

		"git/get-ref": getRef, "git/list-refs": listRefs, "git/list-refs-slash": listRefs, "git/get-refs": getRefs, "git/list-matching-refs": listMatchingRefs,
		"git/create-ref": onWritable(levelWrite, createRef), "git/update-ref": onWritable(levelWrite, updateRef),
		"git/delete-ref": onWritable(levelWrite, deleteRef), "git/create-blob": onWritable(levelWrite, where((*call).notEmpty, createBlob)),
		"git/get-blob":    onRepository(getBlob),
		"git/create-tree": onWritable(levelWrite, where((*call).notEmpty, createTree)), "git/get-tree": onRepository(where((*call).notEmpty, getTree)),
		"git/create-commit": onWritable(levelWrite, createCommit), "git/get-commit": onRepository(getGitCommit),
		"git/create-tag": onWritable(levelWrite, createTag), "git/get-tag": onRepository(getTag),

		"checks/create": onWritable(levelWrite, createRun), "checks/get": onRepository(its(kept(checkRuns, "check_run_id"), getRun)),
		"checks/update":              onWritable(levelWrite, its(kept(checkRuns, "check_run_id"), updateRun)),
		"checks/list-for-ref":        onCommit(listRefCheckRuns),
		"checks/list-suites-for-ref": onCommit(listRefCheckSuites), "checks/get-suite": onRepository(its(kept(checkSuites, "check_suite_id"), getSuite)),
		"checks/list-for-suite":      onRepository(its(kept(checkSuites, "check_suite_id"), listSuiteRuns)),
		"repos/create-commit-status": onWritable(levelWrite, createStatus), "repos/list-commit-statuses-for-ref": onCommit(listRefStatuses),
		"repos/get-combined-status-for-ref": onCommit(combinedStatus),
	}
}

func issueHandlers() map[string]handler {
	return map[string]handler{
		"issues/list": listMyIssues, "issues/list-for-authenticated-user": listMyIssues, "issues/list-for-org": listMyIssues,
		"issues/list-for-repo": onRepository(listIssues), "issues/create": onRepository(createIssue),
		"issues/get":    onIssue(whose((*call).issuesOn, getIssue)),
		"issues/update": onIssue(whose((*call).issuesOn, updateIssue)),
		"issues/lock":   onTriaged(lockIssue), "issues/unlock": onTriaged(unlockIssue),
		"issues/list-comments-for-repo": onRepository(listRepoComments), "issues/get-comment": onRepository(its(commentIn(issueComments), getComment)),
		"issues/update-comment":       onRepository(its(commentIn(issueComments), whose((*call).mayEditComment, updateComment))),
		"issues/delete-comment":       onRepository(its(commentIn(issueComments), whose((*call).mayEditComment, deleteComment))),
		"issues/list-comments":        onIssue(listComments),
		"issues/create-comment":       onIssue(createComment),
		"issues/list-events-for-repo": onRepository(listRepoEvents), "issues/get-event": onRepository(getEvent),
		"issues/list-events": onIssue(listEvents), "issues/list-events-for-timeline": onIssue(timeline),
		"issues/list-labels-on-issue": onIssue(listIssueLabels), "issues/add-labels": relabelIssue(added),
		"issues/set-labels":        relabelIssue(onlyGiven),
		"issues/remove-all-labels": onTriaged(removeLabels), "issues/remove-label": onTriaged(removeLabel),
		"issues/add-assignees":    assign(added, http.StatusCreated),
		"issues/remove-assignees": assign(without, http.StatusOK),
		"issues/list-assignees":   onRepository(listAssignees), "issues/check-user-can-be-assigned": onRepository(checkAssignee),
		"issues/list-labels-for-repo": onRepository(listLabels), "issues/create-label": onWritable(levelTriage, createLabel),
		"issues/get-label": onRepository(its((*call).namedLabel, getLabel)), "issues/update-label": onWritable(levelTriage, its((*call).namedLabel, updateLabel)),
		"issues/delete-label": onWritable(levelTriage, its((*call).namedLabel, deleteLabel)), "issues/list-milestones": onRepository(listMilestones),
		"issues/create-milestone":          onWritable(levelTriage, createMilestone),
		"issues/get-milestone":             onRepository(its((*call).milestoneAt, getMilestone)),
		"issues/update-milestone":          onWritable(levelTriage, its((*call).milestoneAt, updateMilestone)),
		"issues/delete-milestone":          onWritable(levelTriage, its((*call).milestoneAt, deleteMilestone)),
		"issues/list-labels-for-milestone": onRepository(its((*call).milestoneAt, listMilestoneLabels)),

		"reactions/list-for-issue": reactionsAt(listReactions), "reactions/create-for-issue": reactionsAt(createReaction),
		"reactions/delete-for-issue": reactionsAt(deleteReaction), "reactions/list-for-issue-comment": reactionsAt(listReactions),
		"reactions/create-for-issue-comment": reactionsAt(createReaction), "reactions/delete-for-issue-comment": reactionsAt(deleteReaction),
	}
}

func pullHandlers() map[string]handler {
	return map[string]handler{
		"pulls/list": onRepository(listPulls), "pulls/create": onRepository(where((*call).mayComment, createPull)), "pulls/get": onPull(getPull),
		"pulls/update": onPull(updatePull), "pulls/list-files": onPull(listPullFiles),
		"pulls/list-commits": onPull(listPullCommits), "pulls/check-if-merged": onPull(checkMerged),
		"pulls/merge": onWritable(levelWrite, its((*call).pullAt, mergePull)), "pulls/update-branch": onPull(updateBranch),
		"repos/list-pull-requests-associated-with-commit": onRepository(listCommitPulls),

		"pulls/list-reviews": onPull(listReviews), "pulls/create-review": onPull(createReview), "pulls/get-review": onReview(getReview),
		"pulls/update-review":         onReview(updateReview),
		"pulls/delete-pending-review": onReview(deleteReview), "pulls/submit-review": onReview(submitReview), "pulls/dismiss-review": onReview(dismissReview),
		"pulls/list-comments-for-review":   onReview(listCommentsOfReview),
		"pulls/list-requested-reviewers":   onPull(listReviewers),
		"pulls/request-reviewers":          askReviewers(added, http.StatusCreated, "review_requested"),
		"pulls/remove-requested-reviewers": askReviewers(without, http.StatusOK, "review_request_removed"),

		"pulls/list-review-comments": onPull(listReviewComments), "pulls/list-review-comments-for-repo": onRepository(listRepoReviewComments),
		"pulls/create-review-comment": onPull(createReviewComment), "pulls/create-reply-for-review-comment": onPull(createReply),
		"pulls/get-review-comment":    onRepository(its(commentIn(reviewComments), getReviewComment)),
		"pulls/update-review-comment": onRepository(its(commentIn(reviewComments), whose((*call).mayEditComment, updateReviewComment))),
		"pulls/delete-review-comment": onRepository(its(commentIn(reviewComments), whose((*call).mayEditComment, deleteReviewComment))),
	}
}

func boardHandlers() map[string]handler {
	return map[string]handler{
		"projects/list-for-repo": onRepository(listProjects), "projects/create-for-repo": onWritable(levelWrite, createProject),
		"projects/get":           onBoard(projects, "project_id", getProject),
		"projects/update":        onBoard(projects, "project_id", updateProject),
		"projects/delete":        onBoard(projects, "project_id", deleteProject),
		"projects/list-columns":  onBoard(projects, "project_id", listColumns),
		"projects/create-column": onBoard(projects, "project_id", createColumn),
		"projects/get-column":    onBoard(projectColumns, "column_id", getColumn),
		"projects/update-column": onBoard(projectColumns, "column_id", updateColumn),
		"projects/delete-column": onBoard(projectColumns, "column_id", deleteColumn),
		"projects/move-column":   onBoard(projectColumns, "column_id", moveColumn),
		"projects/list-cards":    onBoard(projectColumns, "column_id", listCards),
		"projects/create-card":   onBoard(projectColumns, "column_id", createCard),
		"projects/get-card":      onBoard(projectCards, "card_id", getCard),
		"projects/update-card":   onBoard(projectCards, "card_id", updateCard),
		"projects/delete-card":   onBoard(projectCards, "card_id", deleteCard),
		"projects/move-card":     onBoard(projectCards, "card_id", moveCard),
	}
}
