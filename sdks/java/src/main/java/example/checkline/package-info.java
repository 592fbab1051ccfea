/**
 * The client of the Checkline phone number verification API: {@link example.checkline.Checkline} makes the calls,
 * records hold the results, and every failure is a {@link example.checkline.ChecklineException}.
 */
package example.checkline;
