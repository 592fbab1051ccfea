import example.checkline.*;
import java.util.Objects;

public class Simple {
    public static void main(String[] args) {
        var result = new Checkline().verify("+5511987654321");
        var carrier = Objects.requireNonNullElse(result.carrier(), "unknown");
        System.out.println(carrier + " " + result.valid());
    }
}
