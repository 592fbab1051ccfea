/** Asks whether something may be lost, and calls `goOn` if so. */
type Question = (goOn: () => void) => void;

const questions = new Set<Question>();

/** Has a question asked before somebody who is signed in leaves on purpose. Returns what takes it back. */
export function registerUnsaved(question: Question): () => void {
  questions.add(question);
  return () => questions.delete(question);
}

/** Goes on at once where nothing would be lost, or once whoever is asked agrees. */
export function askUnsaved(goOn: () => void): void {
  const [question] = questions;
  if (question === undefined) goOn();
  else question(goOn);
}
