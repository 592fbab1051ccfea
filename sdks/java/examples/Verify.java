import example.checkline.*;
import java.util.Objects;
import java.util.stream.Stream;

public class Verify {
    public static void main(String[] args) {
        try {
            var result = new Checkline().lookup("+5511987654321");
            var fields = Stream.of(
                    result.countryName(), result.carrier(), result.lineType())
                .filter(Objects::nonNull);
            System.out.println(result.valid() + " " + String.join(" ", fields.toList()));
        } catch (ChecklineException error) {
            System.err.println(error.code() + ": " + error.getMessage());
            System.exit(1);
        }
    }
}
