import java.net.HttpURLConnection;
import java.net.URI;

public class Connection {
    public static void main(String[] args) throws Exception {
        HttpURLConnection connection = (HttpURLConnection) URI.create(args[0]).toURL().openConnection();
        connection.setRequestProperty("Authorization", "Bearer sk_test_1");
        System.out.println(connection.getResponseCode());
    }
}
