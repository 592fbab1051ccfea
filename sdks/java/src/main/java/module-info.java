/** Phone number verification with the Checkline API. */
module example.checkline {
  requires transitive java.net.http;

  exports example.checkline;
}
