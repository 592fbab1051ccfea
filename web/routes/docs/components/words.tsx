/** A text of the contract, which writes code in backticks. */
export function Words({ text }: { text: string }) {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (part.startsWith("`") ? <code key={index}>{part.slice(1, -1)}</code> : part));
}
