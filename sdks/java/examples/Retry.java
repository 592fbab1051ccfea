import example.checkline.*;

public class Retry {
    public static void main(String[] args) {
        // Store it with the job, so a rerun counts once.
        var key = "7c1d5c0e-6f0f-4a53-9d53-3a1f3b8f2f0e";
        var options = LookupOptions.defaults().withIdempotencyKey(key);
        var result = new Checkline().lookup("+5511987654321", options);
        System.out.println(result.countryName());
    }
}
