import example.checkline.*;

public class ReadQuota {
    public static void main(String[] args) {
        var quota = new Checkline().quota();
        var left = quota.remaining() == null ? "unlimited" : quota.remaining();
        System.out.println(quota.plan() + " " + quota.used() + " " + left);
    }
}
