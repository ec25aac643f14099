require "net/http"

url = URI(ARGV[0])
request = Net::HTTP::Get.new(url, "Authorization" => "Bearer sk_test_1")
Net::HTTP.start(url.host, url.port, use_ssl: url.scheme == "https") { |http| puts http.request(request).code }
