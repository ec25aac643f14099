import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLSocketFactory;

/** java Client WAY NAME: one call by a way that programs on a JVM take. */
public class Client {
  public static void main(String[] args) throws Exception {
    String host = "api.shop.invalid", path = "/things/" + args[1];
    if (args[0].equals("http")) {
      var request = HttpRequest.newBuilder(URI.create("https://" + host + path)).build();
      System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
      return;
    }
    try (var socket = SSLSocketFactory.getDefault().createSocket(host, 443)) {
      OutputStream out = socket.getOutputStream();
      out.write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      out.flush();
      System.out.println(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII));
    }
  }
}
