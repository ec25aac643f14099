package policy

import (
	"slices"
	"strings"
)

// ModelAPIs names the shipped list of hosts at which agents reach their models.
const ModelAPIs = "model-apis"

// PaymentAPIs names the shipped list of hosts at which money is moved. It is no
// list to tunnel: nothing reaches these by accident.
const PaymentAPIs = "payment-apis"

// Lists are the names of the shipped lists that can be tunnelled.
func Lists() []string { return []string{ModelAPIs} }

// list gives the hosts of a shipped list.
func list(name string) ([]string, bool) {
	if name != ModelAPIs {
		return nil, false
	}
	// Hosts as each vendor's API reference names them. Only hosts that serve
	// models: an agent's other traffic is what a rehearsal is about.
	return []string{
		"api.anthropic.com",
		"api.openai.com",
		"*.api.openai.com", // regional: eu., us.
		"*.openai.azure.com",
		"*.services.ai.azure.com",
		"*.cognitiveservices.azure.com",
		"models.inference.ai.azure.com",
		"models.github.ai",
		"generativelanguage.googleapis.com",
		"aiplatform.googleapis.com", // Vertex, global
		"*-aiplatform.googleapis.com",
		"bedrock-runtime.*.amazonaws.com",
		"bedrock-runtime-fips.*.amazonaws.com",
		"bedrock-agent-runtime.*.amazonaws.com",
		"api.mistral.ai",
		"codestral.mistral.ai",
		"api.cohere.com",
		"api.cohere.ai",
		"api.groq.com",
		"api.deepseek.com",
		"api.x.ai",
		"*.api.x.ai",
		"openrouter.ai",
		"api.together.xyz",
		"api.together.ai",
		"api.fireworks.ai",
		"api.perplexity.ai",
		"api.cerebras.ai",
		"api.sambanova.ai",
		"api.replicate.com",
		"api-inference.huggingface.co",
		"router.huggingface.co",
		"integrate.api.nvidia.com",
		"api.ai21.com",
		"api.voyageai.com",
		"api.jina.ai",
		"api.moonshot.ai",
		"api.moonshot.cn",
		"api.minimax.io",
		"api.z.ai",
		"open.bigmodel.cn",
		"dashscope.aliyuncs.com",
		"dashscope-intl.aliyuncs.com",
		"api.deepinfra.com",
		"api.novita.ai",
		"inference.baseten.co",
	}, true
}

// IsModel tells whether agents reach models at a host, and nothing else: it is of
// the list model-apis, whatever lets it pass.
func IsModel(host string) bool {
	hosts, _ := list(ModelAPIs)
	host = normal(host)
	return slices.ContainsFunc(hosts, func(known string) bool { return known == host || strings.Contains(known, "*") && glob(known, host) })
}
