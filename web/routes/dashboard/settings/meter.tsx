export interface MeterProps {
  /** What is measured: "Days left". */
  label: string;
  value: number;
  max: number;
  /** The same in words: "12 of 14 days left". */
  text: string;
}

/** How much is left of something, in words and as a bar. */
export function Meter({ label, value, max, text }: MeterProps) {
  return (
    <div>
      <p>{text}</p>
      <meter className="sr-only" aria-label={label} aria-valuetext={text} min={0} max={max} value={value} />
      <div aria-hidden="true" className="mt-2 mb-1.5 h-1.5 rounded-full bg-line">
        <div className="h-full rounded-full bg-ink" style={{ width: `${Math.min(100, (100 * value) / max)}%` }} />
      </div>
    </div>
  );
}
