import type { ReactNode } from "react";
import { Cross } from "../ui/cross.tsx";

interface MoreFieldsProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** Fields that most forms don't need: what is in them should count while they are open. */
export function MoreFields({ title, isOpen, onToggle, children }: MoreFieldsProps) {
  return (
    <details
      className="group open:basis-full"
      open={isOpen}
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
    >
      <summary className="inline-flex min-h-9 items-center gap-1.5 text-sm text-soft hover:text-ink pointer-coarse:min-h-11">
        <Cross />
        {title}
      </summary>
      <div className="pt-2">{children}</div>
    </details>
  );
}
