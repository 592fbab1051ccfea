import example.checkline.*;
import java.util.List;

public class Stream {
    public static void main(String[] args) {
        var numbers = List.of(
            PhoneNumber.of("+5511987654321"),
            PhoneNumber.of("020 7946 0018", "GB"),
            PhoneNumber.of("+12025550109"));
        try (var items = new Checkline().lookupStream(numbers)) {
            items.forEach(item -> {
                var text = "";
                if (item instanceof LookupResult result) {
                    text = result.valid() ? result.number() : result.reason();
                } else if (item instanceof ChecklineException error) {
                    text = error.code();
                }
                System.out.println(text);
            });
        }
    }
}
