import example.checkline.*;

public class Simple {
    public static void main(String[] args) {
        var result = new Checkline().verify("+5511987654321");
        System.out.println(result.carrier() + " " + result.valid());
    }
}
