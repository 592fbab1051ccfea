import example.checkline.*;
import java.util.Objects;

public class Batch {
    public static void main(String[] args) {
        String[] numbers = {
            "+5511987654321",
            "+12025550109", // Always fails in the sandbox.
            "+442079460018"
        };
        var items = new Checkline().lookupBatch(numbers);
        for (int i = 0; i < numbers.length; i++) {
            var text = "";
            if (items.get(i) instanceof LookupResult result) {
                var country = Objects.requireNonNullElse(result.countryName(), "no country");
                text = result.valid() ? country : result.reason();
            } else if (items.get(i) instanceof ChecklineException error) {
                text = error.code();
            }
            System.out.println(numbers[i] + ": " + text);
        }
    }
}
