import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

public class Client {
    public static void main(String[] args) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(args[0])).header("Authorization", "Bearer sk_test_1").build();
        System.out.println(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode());
    }
}
