/** A program on the module path. */
module com.example.app {
    requires dev.idem;
}
