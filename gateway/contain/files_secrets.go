package contain

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// secrets are the paths, without symbolic links, that are covered without being
// named: in these home folders, on the machine, and where the environment says that
// such things are.
func secrets(homes []string) (paths []string) {
	for _, home := range homes {
		for _, name := range secretsOfHome {
			paths = append(paths, resolved(filepath.Join(home, name)))
		}
	}
	for _, path := range secretsOfMachine {
		paths = append(paths, resolved(path))
	}
	for variable, parent := range map[string]string{"XDG_CONFIG_HOME": ".config/", "XDG_DATA_HOME": ".local/share/"} {
		for _, name := range secretsOfHome {
			if below, ok := strings.CutPrefix(name, parent); ok && filepath.IsAbs(os.Getenv(variable)) {
				paths = append(paths, resolved(filepath.Join(os.Getenv(variable), below)))
			}
		}
	}
	for _, variable := range secretsOfEnvironment {
		for _, path := range filepath.SplitList(os.Getenv(variable)) {
			path = resolved(filepath.Clean(path))
			around := func(home string) bool { return aboveOf(resolved(home), []string{path}) != "" }
			if filepath.IsAbs(path) && path != "/" && !slices.ContainsFunc(homes, around) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// secretsOfEnvironment are variables that say where programs keep them instead.
var secretsOfEnvironment = []string{
	"AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "AWS_WEB_IDENTITY_TOKEN_FILE", "GOOGLE_APPLICATION_CREDENTIALS", "CLOUDSDK_CONFIG",
	"AZURE_CONFIG_DIR", "BOTO_CONFIG", "KUBECONFIG", "DOCKER_CONFIG", "REGISTRY_AUTH_FILE", "GNUPGHOME", "PASSWORD_STORE_DIR",
	"GH_CONFIG_DIR", "NETRC", "NPM_CONFIG_USERCONFIG", "npm_config_userconfig", "PGPASSFILE", "PGSERVICEFILE", "VAULT_CONFIG_PATH",
	"SOPS_AGE_KEY_FILE", "KRB5CCNAME", "KRB5_KTNAME", "HISTFILE", "CREDENTIALS_DIRECTORY",
}

// secretsOfHome are where programs keep what opens other doors, below a home
// folder. What agents themselves log in with (~/.claude, ~/.codex, ~/.gemini) is
// theirs, and stays.
var secretsOfHome = []string{
	// Keys, and what answers for them.
	".ssh", ".gnupg", ".pki", ".netrc", "_netrc", ".authinfo", ".authinfo.gpg", ".config/sops", ".config/age", ".age",
	".password-store", ".vault-token", ".config/op", ".op", ".config/Bitwarden", ".config/Bitwarden CLI", ".config/1Password",
	".config/keepassxc", ".local/share/keyrings", ".local/share/kwalletd", ".gnome2/keyrings", ".step", ".krb5",

	// Clouds and clusters.
	".aws", ".azure", ".config/gcloud", ".boto", ".s3cfg", ".config/rclone", ".oci", ".aliyun", ".bluemix",
	".kube", ".docker", ".config/containers", ".config/helm", ".terraform.d", ".terraformrc", ".pulumi",
	".config/doctl", ".config/hcloud", ".config/linode-cli", ".config/scw", ".config/exoscale", ".fly", ".config/heroku",
	".config/netlify", ".config/.wrangler", ".wrangler", ".local/share/com.vercel.cli", ".config/flyctl", ".railway",
	".databrickscfg", ".snowflake", ".config/snowflake", ".snowsql", ".bigqueryrc",

	// Registries and places of code.
	".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".config/pypoetry/auth.toml", ".gem/credentials", ".cargo/credentials", ".cargo/credentials.toml",
	".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties", ".nuget/NuGet/NuGet.Config",
	".composer/auth.json", ".config/composer/auth.json", ".hex", ".git-credentials", ".config/git/credentials",
	".config/gh", ".config/hub", ".config/glab-cli", ".config/tea", ".config/stripe", ".config/configstore", ".config/sentry", ".sentryclirc",
	".config/pip", ".pip", ".condarc", ".bundle/config", ".subversion/auth", ".config/github-copilot", ".kaggle", ".huggingface", ".cache/huggingface/token", ".config/wandb",

	// Databases.
	".pgpass", ".my.cnf", ".mylogin.cnf", ".mongorc.js", ".config/mongosh", ".dbshell", ".rediscli_auth",

	// Browsers and mail.
	".mozilla", ".config/google-chrome", ".config/google-chrome-beta", ".config/google-chrome-unstable", ".config/chromium",
	".config/BraveSoftware", ".config/microsoft-edge", ".config/vivaldi", ".config/opera", ".config/Signal", ".config/Slack",
	".config/discord", ".config/Element", ".local/share/TelegramDesktop", ".thunderbird", ".local/share/evolution", ".config/evolution",
	"snap/firefox", "snap/chromium", ".var/app",

	// Wallets.
	".bitcoin", ".ethereum", ".electrum", ".config/solana", ".config/Exodus", ".config/Ledger Live",

	// What was typed.
	".bash_history", ".zsh_history", ".zhistory", ".histfile", ".local/share/fish/fish_history", ".python_history", ".node_repl_history",
	".psql_history", ".mysql_history", ".sqlite_history", ".rediscli_history", ".lesshst", ".viminfo",
	".local/share/atuin", ".config/nushell", ".irb_history", ".Rhistory",
}

// secretsOfMachine are the machine's own, below folders that are shown. Most are
// root's alone: for an agent that runs as root.
var secretsOfMachine = []string{
	"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/security/opasswd", "/etc/sudoers", "/etc/sudoers.d",
	"/etc/ssh", "/etc/ssl/private", "/etc/pki/tls/private", "/etc/letsencrypt", "/etc/krb5.keytab",
	"/etc/kubernetes", "/etc/rancher", "/etc/docker", "/etc/containerd", "/etc/wireguard", "/etc/openvpn", "/etc/ipsec.secrets", "/etc/ipsec.d",
	"/etc/ppp", "/etc/wpa_supplicant", "/etc/NetworkManager/system-connections", "/etc/netplan", "/etc/samba", "/etc/cloud",
	"/etc/postfix", "/etc/exim4", "/etc/msmtprc", "/etc/postgresql", "/etc/mysql", "/etc/redis", "/etc/vault.d", "/etc/consul.d", "/etc/nomad.d",
	"/etc/gitlab", "/etc/gitlab-runner", "/etc/jenkins", "/etc/credstore", "/etc/credstore.encrypted",
	"/etc/apt/auth.conf", "/etc/apt/auth.conf.d", "/etc/environment",
}
