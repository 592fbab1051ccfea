import example.checkline.*;
import java.util.stream.Stream;

public class Batch {
    public static void main(String[] args) {
        var numbers =
            Stream.of(
                    "+5511987654321",
                    "+12025550109", // Always fails in the sandbox.
                    "+442079460018")
                .map(PhoneNumber::of)
                .toList();
        var items = new Checkline().lookupBatch(numbers);
        for (int i = 0; i < numbers.size(); i++) {
            var text = "";
            if (items.get(i) instanceof LookupResult result) {
                text = result.valid() ? result.countryName() : result.reason();
            } else if (items.get(i) instanceof ChecklineException error) {
                text = error.code();
            }
            System.out.println(numbers.get(i).number() + ": " + text);
        }
    }
}
