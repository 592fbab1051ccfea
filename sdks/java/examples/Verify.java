import example.checkline.*;

public class Verify {
    public static void main(String[] args) {
        try {
            var result = new Checkline().lookup("+5511987654321");
            System.out.printf("%s %s %s %s%n", result.valid(),
                result.countryName(), result.carrier(), result.lineType());
        } catch (ChecklineException error) {
            System.err.println(error.code() + ": " + error.getMessage());
            System.exit(1);
        }
    }
}
