package github

func actionsHandlers() map[string]handler {
	return map[string]handler{
		"actions/list-repo-workflows":      onRepository(listWorkflows),
		"actions/get-workflow":             onWorkflow(levelRead, getWorkflow),
		"actions/enable-workflow":          onWorkflow(levelWrite, switchWorkflow("active")),
		"actions/disable-workflow":         onWorkflow(levelWrite, switchWorkflow("disabled_manually")),
		"actions/create-workflow-dispatch": onWorkflow(levelWrite, dispatchWorkflow),
		"actions/list-workflow-runs":       onWorkflow(levelRead, listRunsOf),

		"actions/list-workflow-runs-for-repo": onRepository(listRuns),
		"actions/get-workflow-run":            onRun(levelRead, getWorkflowRun),
		"actions/delete-workflow-run":         onRun(levelWrite, deleteRun),
		"actions/cancel-workflow-run":         onRun(levelWrite, cancelRun),
		"actions/force-cancel-workflow-run":   onRun(levelWrite, cancelRun),
		"actions/re-run-workflow":             onRun(levelWrite, rerunAll),
		"actions/re-run-workflow-failed-jobs": onRun(levelWrite, rerunFailed),
		"actions/list-jobs-for-workflow-run":  onRun(levelRead, listJobs),
		"actions/download-workflow-run-logs":  onRun(levelRead, runLogs),

		"actions/get-job-for-workflow-run":           onJob(levelRead, getJob),
		"actions/re-run-job-for-workflow-run":        onJob(levelWrite, rerunJob),
		"actions/download-job-logs-for-workflow-run": onJob(levelRead, jobLogs),

		"results/get":                 getResults,
		"repos/create-dispatch-event": onWritable(levelWrite, dispatchEvent),
		"repos/merge-upstream":        onWritable(levelWrite, mergeUpstream),
		"markdown/render":             renderMarkdown,
		"markdown/render-raw":         renderRaw,

		"checks/create-suite":           onWritable(levelWrite, createSuite),
		"checks/set-suites-preferences": onWritable(levelAdmin, setPreferences),
		"checks/rerequest-suite":        onWritable(levelWrite, its(kept(checkSuites, "check_suite_id"), rerequestSuite)),
		"checks/rerequest-run":          onWritable(levelWrite, its(kept(checkRuns, "check_run_id"), rerequestRun)),
		"checks/list-annotations":       onRepository(its(kept(checkRuns, "check_run_id"), listAnnotations)),
	}
}

func gistHandlers() map[string]handler {
	return map[string]handler{
		"gists/list": listMyGists, "gists/create": createGist, "gists/list-public": listPublicGists, "gists/list-starred": listStarredGists,
		"gists/list-for-user": listUserGists, "gists/get": onGist(getGist), "gists/update": onOwnGist(updateGist), "gists/delete": onOwnGist(deleteGist),
		"gists/check-is-starred": onGist(checkGistStar), "gists/star": onGist(starGist(true)), "gists/unstar": onGist(starGist(false)),
		"gists/list-forks": onGist(listGistForks), "gists/fork": onGist(forkGist),
		"gists/list-comments": onGist(listGistComments), "gists/create-comment": onGist(createGistComment),
		"gists/get-comment":    onGistComment(false, getGistComment),
		"gists/update-comment": onGistComment(true, updateGistComment),
		"gists/delete-comment": onGistComment(true, deleteGistComment),

		"users/list-public-ssh-keys-for-authenticated-user":  listMyKeys(userKeys, (*call).showUserKey),
		"users/create-public-ssh-key-for-authenticated-user": createUserKey,
		"users/get-public-ssh-key-for-authenticated-user":    onMyKey(userKeys, "key_id", showKeyBy((*call).showUserKey)),
		"users/delete-public-ssh-key-for-authenticated-user": onMyKey(userKeys, "key_id", dropKey(userKeys)),
		"users/list-public-keys-for-user":                    listKeysOf(userKeys, (*call).showKeyOf),
		"users/list-gpg-keys-for-authenticated-user":         listMyKeys(gpgKeys, (*call).showGPGKey),
		"users/create-gpg-key-for-authenticated-user":        createGPGKey,
		"users/get-gpg-key-for-authenticated-user":           onMyKey(gpgKeys, "gpg_key_id", showKeyBy((*call).showGPGKey)),
		"users/delete-gpg-key-for-authenticated-user":        onMyKey(gpgKeys, "gpg_key_id", dropKey(gpgKeys)),
		"users/list-gpg-keys-for-user":                       listKeysOf(gpgKeys, (*call).showGPGKey),
	}
}
