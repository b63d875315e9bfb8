import dev.idem.Idem;
import java.util.Map;

/** The README's five lines, which the script puts below. */
public final class Main {
    record Receipt(String id, int cents) {}

    static final class Payments {
        Receipt charge(int cents, String key) {
            System.out.println("charged " + cents + " with " + key);
            return new Receipt("ch_1", cents);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Payments payments = new Payments();
        // README
    }
}
