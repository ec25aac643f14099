package github

import "net/http"

// handlers maps each operation to what answers it. One that is reached by the
// number of its repository is answered alike.
func handlers() map[string]handler {
	all := map[string]handler{
		"meta/root": root, "meta/get-zen": zen, "graphql/query": graphQL, "rate-limit/get": rateLimit,
		"users/get-authenticated": getViewer, "users/get-by-username": getUser,

		"orgs/get": getOrg, "orgs/list-for-authenticated-user": listMyOrgs, "orgs/list-members": listMembers,
		"orgs/check-membership-for-user": checkMember, "orgs/remove-member": removeMembership, "orgs/list-public-members": listPublicMembers,
		"orgs/check-public-membership-for-user":                   checkPublicMember,
		"orgs/set-public-membership-for-authenticated-user":       publicize(true),
		"orgs/remove-public-membership-for-authenticated-user":    publicize(false),
		"orgs/get-membership-for-user":                            getMembership,
		"orgs/set-membership-for-user":                            setMembership,
		"orgs/remove-membership-for-user":                         removeMembership,
		"actions/list-org-secrets":                                listSecrets,
		"actions/get-org-public-key":                              publicKey,
		"actions/get-org-secret":                                  getSecret,
		"actions/create-or-update-org-secret":                     setSecret,
		"actions/delete-org-secret":                               deleteSecret,
		"actions/list-repo-secrets":                               listSecrets,
		"actions/get-repo-public-key":                             publicKey,
		"actions/get-repo-secret":                                 getSecret,
		"actions/create-or-update-repo-secret":                    setSecret,
		"actions/delete-repo-secret":                              deleteSecret,
		"apps/create-installation-access-token":                   createInstallationToken,
		"apps/get-by-slug":                                        getApp,
		"activity/list-notifications-for-authenticated-user":      listNotifications,
		"activity/mark-notifications-as-read":                     markRead,
		"activity/get-thread":                                     getThread,
		"activity/mark-thread-as-read":                            markThreadRead,
		"activity/mark-repo-notifications-as-read":                markRepoRead,
		"search/issues-and-pull-requests":                         searchIssues,
		"search/code":                                             searchCode,
		"search/repos":                                            searchRepositories,
		"search/users":                                            searchUsers,
		"activity/list-repo-notifications-for-authenticated-user": listRepoNotifications,
	}
	for _, more := range []map[string]handler{repoHandlers(), gitHandlers(), issueHandlers(), pullHandlers(), boardHandlers()} {
		for id, answers := range more {
			all[id] = answers
		}
	}
	return all
}

func repoHandlers() map[string]handler {
	return map[string]handler{
		"repos/list-for-authenticated-user": listViewerRepositories, "repos/create-for-authenticated-user": createViewerRepository,
		"repos/list-for-user": listUserRepositories, "repos/list-for-org": listOrgRepositories, "repos/create-in-org": createOrgRepository,
		"repos/get": getRepository, "repos/update": updateRepository, "repos/delete": deleteRepository, "repos/list-forks": listForks,
		"repos/create-fork": createFork, "repos/list-languages": listLanguages, "repos/get-all-topics": getTopics, "repos/replace-all-topics": replaceTopics,
		"repos/list-contributors": listContributors, "repos/list-teams": listTeams,
		"repos/get-contributors-stats":    statistics(contributorStats),
		"repos/get-commit-activity-stats": statistics(commitActivity),
		"repos/get-participation-stats":   statistics(participation),

		"repos/list-collaborators": listCollaborators, "repos/check-collaborator": checkCollaborator, "repos/add-collaborator": addCollaborator,
		"repos/remove-collaborator": removeCollaborator, "repos/get-collaborator-permission-level": collaboratorLevel,
		"repos/list-invitations": listInvitations, "repos/update-invitation": updateInvitation, "repos/delete-invitation": deleteInvitation,
		"repos/list-invitations-for-authenticated-user":   listMyInvitations,
		"repos/accept-invitation-for-authenticated-user":  answerInvitation(true),
		"repos/decline-invitation-for-authenticated-user": answerInvitation(false),

		"repos/list-releases": listReleases, "repos/create-release": createRelease, "repos/get-latest-release": getLatestRelease,
		"repos/get-release-by-tag": getReleaseByTag, "repos/get-release": getRelease, "repos/update-release": updateRelease,
		"repos/delete-release": deleteRelease, "repos/list-release-assets": listAssets, "repos/upload-release-asset": uploadAsset,
		"repos/get-release-asset":    onAsset(levelRead, getAsset),
		"repos/update-release-asset": onAsset(levelWrite, updateAsset),
		"repos/delete-release-asset": onAsset(levelWrite, deleteAsset),

		"activity/list-repos-starred-by-authenticated-user": listStarred, "activity/check-repo-is-starred-by-authenticated-user": checkStar,
		"activity/star-repo-for-authenticated-user":   star,
		"activity/unstar-repo-for-authenticated-user": untie(starKind),
		"activity/list-stargazers-for-repo":           listTied(starKind),
		"activity/list-watchers-for-repo":             listTied(subscriptionKind),
		"activity/get-repo-subscription":              getSubscription,
		"activity/set-repo-subscription":              setSubscription,
		"activity/delete-repo-subscription":           untie(subscriptionKind),

		"repos/list-deploy-keys": listKeys, "repos/create-deploy-key": createKey,
		"repos/get-deploy-key":    onKept(deployKeys, "key_id", levelAdmin, getKey),
		"repos/delete-deploy-key": onKept(deployKeys, "key_id", levelAdmin, deleteKey),
		"repos/list-deployments":  listDeployments, "repos/create-deployment": createDeployment,
		"repos/get-deployment":           onKept(deployments, "deployment_id", levelRead, getDeployment),
		"repos/delete-deployment":        onKept(deployments, "deployment_id", levelWrite, deleteDeployment),
		"repos/list-deployment-statuses": onKept(deployments, "deployment_id", levelRead, listDeploymentStatuses),
		"repos/create-deployment-status": onKept(deployments, "deployment_id", levelWrite, createDeploymentStatus),

		"repos/list-webhooks": listHooks, "repos/create-webhook": createHook, "repos/get-webhook": onHook(getHook), "repos/update-webhook": onHook(updateHook),
		"repos/delete-webhook": onHook(deleteHook), "repos/ping-webhook": onHook(pingHook), "repos/list-webhook-deliveries": onHook(listDeliveries),
		"repos/redeliver-webhook-delivery": onHook(redeliver),
	}
}

func gitHandlers() map[string]handler {
	return map[string]handler{
		"repos/get-branch-protection": getProtection, "repos/update-branch-protection": setProtection, "repos/delete-branch-protection": deleteProtection,
		"repos/list-comments-for-commit": listCommitComments, "repos/create-commit-comment": createCommitComment,
		"repos/list-commit-comments-for-repo": listRepoCommitComments,
		"repos/get-commit-comment":            onCommitComment(getCommitComment),
		"repos/update-commit-comment":         onCommitComment(updateCommitComment),
		"repos/delete-commit-comment":         onCommitComment(deleteCommitComment),

		"repos/list-branches": listBranches, "repos/get-branch": getBranch, "repos/list-tags": listTags, "repos/get-readme": getReadme,
		"repos/get-content": getContent, "repos/get-content-root": getContent, "repos/get-content-slash": getContent,
		"repos/create-or-update-file-contents": writeFile, "repos/delete-file": deleteFile,
		"repos/download-tarball-archive": archive, "repos/download-zipball-archive": archive, "repos/merge": mergeBranch,
		"repos/list-commits": listCommits, "repos/get-commit": getCommit, "repos/list-branches-for-head-commit": listHeads,
		"repos/compare-commits-with-basehead": compare,

		"git/get-ref": getRef, "git/list-refs": listRefs, "git/list-refs-slash": listRefs, "git/get-refs": getRefs, "git/list-matching-refs": listMatchingRefs,
		"git/create-ref": createRef, "git/update-ref": updateRef, "git/delete-ref": deleteRef, "git/create-blob": createBlob, "git/get-blob": getBlob,
		"git/create-tree": createTree, "git/get-tree": getTree, "git/create-commit": createCommit, "git/get-commit": getGitCommit,
		"git/create-tag": createTag, "git/get-tag": getTag,

		"checks/create": createRun, "checks/get": getRun, "checks/update": updateRun, "checks/list-for-ref": listRefCheckRuns,
		"checks/list-suites-for-ref": listRefCheckSuites, "checks/get-suite": getSuite, "checks/list-for-suite": listSuiteRuns,
		"repos/create-commit-status": createStatus, "repos/list-commit-statuses-for-ref": listRefStatuses, "repos/get-combined-status-for-ref": combinedStatus,
	}
}

func issueHandlers() map[string]handler {
	return map[string]handler{
		"issues/list": listMyIssues, "issues/list-for-authenticated-user": listMyIssues, "issues/list-for-org": listMyIssues,
		"issues/list-for-repo": listIssues, "issues/create": createIssue, "issues/get": getIssue, "issues/update": updateIssue,
		"issues/lock": lockIssue, "issues/unlock": unlockIssue,
		"issues/list-comments-for-repo": listRepoComments, "issues/get-comment": getComment, "issues/update-comment": updateComment,
		"issues/delete-comment": deleteComment, "issues/list-comments": listComments, "issues/create-comment": createComment,
		"issues/list-events-for-repo": listRepoEvents, "issues/get-event": getEvent, "issues/list-events": listEvents, "issues/list-events-for-timeline": timeline,
		"issues/list-labels-on-issue": listIssueLabels, "issues/add-labels": relabelIssue(added), "issues/set-labels": relabelIssue(onlyGiven),
		"issues/remove-all-labels": removeLabels, "issues/remove-label": removeLabel,
		"issues/add-assignees":    assign(added, http.StatusCreated),
		"issues/remove-assignees": assign(without, http.StatusOK),
		"issues/list-assignees":   listAssignees, "issues/check-user-can-be-assigned": checkAssignee,
		"issues/list-labels-for-repo": listLabels, "issues/create-label": createLabel, "issues/get-label": getLabel, "issues/update-label": updateLabel,
		"issues/delete-label": deleteLabel, "issues/list-milestones": listMilestones, "issues/create-milestone": createMilestone,
		"issues/get-milestone": getMilestone, "issues/update-milestone": updateMilestone, "issues/delete-milestone": deleteMilestone,
		"issues/list-labels-for-milestone": listMilestoneLabels,

		"reactions/list-for-issue": reactionsAt(listReactions), "reactions/create-for-issue": reactionsAt(createReaction),
		"reactions/delete-for-issue": reactionsAt(deleteReaction), "reactions/list-for-issue-comment": reactionsAt(listReactions),
		"reactions/create-for-issue-comment": reactionsAt(createReaction), "reactions/delete-for-issue-comment": reactionsAt(deleteReaction),
	}
}

func pullHandlers() map[string]handler {
	return map[string]handler{
		"pulls/list": listPulls, "pulls/create": createPull, "pulls/get": getPull, "pulls/update": updatePull, "pulls/list-files": listPullFiles,
		"pulls/list-commits": listPullCommits, "pulls/check-if-merged": checkMerged, "pulls/merge": mergePull, "pulls/update-branch": updateBranch,
		"repos/list-pull-requests-associated-with-commit": listCommitPulls,

		"pulls/list-reviews": listReviews, "pulls/create-review": createReview, "pulls/get-review": onReview(getReview), "pulls/update-review": onReview(updateReview),
		"pulls/delete-pending-review": onReview(deleteReview), "pulls/submit-review": onReview(submitReview), "pulls/dismiss-review": onReview(dismissReview),
		"pulls/list-comments-for-review":   onReview(listCommentsOfReview),
		"pulls/list-requested-reviewers":   listReviewers,
		"pulls/request-reviewers":          askReviewers(added, http.StatusCreated, "review_requested"),
		"pulls/remove-requested-reviewers": askReviewers(without, http.StatusOK, "review_request_removed"),

		"pulls/list-review-comments": listReviewComments, "pulls/list-review-comments-for-repo": listRepoReviewComments,
		"pulls/create-review-comment": createReviewComment, "pulls/create-reply-for-review-comment": createReply, "pulls/get-review-comment": getReviewComment,
		"pulls/update-review-comment": updateReviewComment, "pulls/delete-review-comment": deleteReviewComment,
	}
}

func boardHandlers() map[string]handler {
	return map[string]handler{
		"projects/list-for-repo": listProjects, "projects/create-for-repo": createProject,
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
