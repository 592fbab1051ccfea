import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

public class Get {
    public static void main(String[] args) throws Exception {
        var url = "https://checkline.example/api/v1/countries/GM";
        var request = HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofSeconds(10))
            .build();
        var client = HttpClient.newHttpClient();
        var response = client.send(request, BodyHandlers.ofString());
        // The JDK reads no JSON: hand the body to Jackson or Gson.
        System.out.println(response.body());
    }
}
