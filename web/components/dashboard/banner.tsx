import { clsx } from "clsx";
import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import type { ComponentProps, ReactNode } from "react";

const TONES = {
  possible: { frame: "border-possible/45 bg-possible-wash", mark: "text-possible", Icon: TriangleAlert },
  invalid: { frame: "border-invalid/45 bg-invalid-wash", mark: "text-invalid", Icon: CircleAlert },
};

type BannerProps = Omit<ComponentProps<"div">, "title"> & {
  /** possible: a warning. invalid: something failed or has ended. */
  tone: keyof typeof TONES;
  title: ReactNode;
  /** What to do about it: buttons at the end. */
  actions?: ReactNode;
};

/** What a page has to say about itself: an icon, a title, a line about it, and what to do. */
export function Banner({ tone, title, actions, className, children, ...rest }: BannerProps) {
  const { frame, mark, Icon } = TONES[tone];
  return (
    <div
      {...rest}
      className={clsx("flex flex-wrap items-center gap-x-6 gap-y-4 rounded-lg border p-4 sm:px-5", frame, className)}
    >
      <div className="flex min-w-0 flex-1 basis-96 items-start gap-3">
        <Icon aria-hidden="true" strokeWidth={1.5} className={clsx("mt-0.5 size-5 shrink-0", mark)} />
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere text-ink">{title}</p>
          {children && <div className="mt-0.5 text-sm text-soft">{children}</div>}
        </div>
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  );
}
