const TEST_KEY = /^ch_test_[0-9A-Za-z]{36}$/;

/** What is wrong with a key before it is sent; null when it may be. A live key never leaves the page. */
export function keyProblem(key: string): string | null {
  if (key === "") return "Paste a test key.";
  if (key.startsWith("ch_live_")) return "This is a live key. It belongs on your server; use a test key here.";
  if (!key.startsWith("ch_test_")) return "A test key begins with ch_test_.";
  return TEST_KEY.test(key) ? null : "This key is incomplete: a test key has 44 characters.";
}

/** What is wrong with a number before it is sent; null when it may be. Whatever is wrong with its text, the API is to say. */
export function numberProblem(number: string): string | null {
  return number === "" ? "Choose a scenario, or write a number." : null;
}

/** Characters that mean the same between the quotes of JSON, a shell and all languages of the samples. */
const PLAIN = /^[0-9A-Za-z+(). /#*,;-]+$/;

/** Whether a text can stand in every sample as it is. */
export function isPlain(number: string): boolean {
  return PLAIN.test(number);
}
