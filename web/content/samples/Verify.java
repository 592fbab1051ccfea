import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

public class Verify {
    public static void main(String[] args) throws Exception {
        var key = System.getenv("CHECKLINE_API_KEY");
        var body = "{\"number\": \"+5511987654321\"}";
        var request = HttpRequest.newBuilder()
            .uri(URI.create("https://checkline.example/api/v1/verify"))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(10))
            .POST(BodyPublishers.ofString(body))
            .build();
        var client = HttpClient.newHttpClient();
        var response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IllegalStateException(response.body());
        }
        // The JDK reads no JSON: hand the body to Jackson or Gson.
        System.out.println(response.body());
    }
}
