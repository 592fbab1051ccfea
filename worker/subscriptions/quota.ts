/** Which notice is due, in percent of a quota: 100, 80, or 0 for none. The higher one covers both. */
export function dueQuotaNotice(used: number, limit: number): 0 | 80 | 100 {
  if (used >= limit) return 100;
  // In integers: 0.8 has no exact binary form.
  return 100 * used >= 80 * limit ? 80 : 0;
}
