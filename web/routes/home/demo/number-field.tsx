import { useId } from "react";

const EXAMPLES = [
  { number: "+55 11 98765 4321", name: "Brazil" },
  { number: "+1 202 555 0123", name: "United States" },
  { number: "+44 20 7946 0018", name: "United Kingdom" },
  { number: "+351 912 345 678", name: "Portugal" },
  { number: "+44 7700 900123", name: "Reserved for fiction" },
  { number: "+1 202 555 0000", name: "Too many zeros" },
] as const;

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSubmit: () => void;
  /** The id of the text that says what the simulation makes of the number. */
  readonly describedBy: string;
  readonly invalid: boolean;
}

/** One number, set large, and some to begin with. */
export function NumberField({ value, onChange, onSubmit, describedBy, invalid }: Props) {
  const id = useId();
  return (
    <form
      className="p-5 md:p-8"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <label htmlFor={id} className="label">
        Phone number
      </label>
      <input
        id={id}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        placeholder="+55 11 98765 4321"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        className="mt-1 -ml-1 block w-full rounded-sm bg-transparent px-1 py-2 font-mono text-[clamp(1.5rem,0.6rem+4vw,3.75rem)] leading-tight tracking-[-0.02em] placeholder:text-edge focus-visible:outline-offset-0"
      />
      <ul className="mt-4 flex flex-wrap gap-2" aria-label="Example numbers">
        {EXAMPLES.map(({ number, name }) => (
          <li key={number}>
            <button
              type="button"
              onClick={() => onChange(number)}
              className="min-h-9 rounded-full pointer-coarse:min-h-11 border border-line px-3.5 text-sm text-soft hover:border-edge hover:text-ink"
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
    </form>
  );
}
