import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { Card, CardHeader } from "../ui/card.tsx";
import { CardSkeleton, Skeleton } from "../ui/skeleton.tsx";
import { TAB_ROW } from "../ui/tabs.tsx";
import { RowsSkeleton } from "./query-state.tsx";

/** The outline of a loading control. Give it the control's height and width. */
export function ControlOutline({ className }: { className?: string }) {
  return <div aria-hidden="true" className={clsx("rounded-md border border-line bg-surface", className)} />;
}

function FieldOutline({ className, height = "h-11" }: { className?: string; height?: string }) {
  return (
    <div className={className}>
      <Skeleton className="mb-3 w-20" />
      <ControlOutline className={height} />
    </div>
  );
}

/** The outline of the bulk check's form. */
export function SetupOutline() {
  return (
    <Card padding="none" aria-hidden="true" className="grid lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="p-5">
        <FieldOutline height="h-68" />
        <ControlOutline className="mt-11 h-17 border-dashed" />
      </div>
      <div className="grid content-start gap-11 border-t border-line p-5 lg:border-t-0 lg:border-l">
        <FieldOutline />
        <FieldOutline />
        <ControlOutline className="h-11" />
      </div>
    </Card>
  );
}

/** The outline of the activity's filters. */
export function FiltersOutline() {
  return (
    <div
      aria-hidden="true"
      className="mb-4 grid grid-cols-3 gap-3 max-sm:hidden xl:grid-cols-[repeat(3,minmax(0,1fr))_minmax(0,1.6fr)]"
    >
      <FieldOutline />
      <FieldOutline />
      <FieldOutline />
      <FieldOutline className="max-xl:col-span-3" />
    </div>
  );
}

/** The outline of the report's controls. */
export function ReportControlsOutline() {
  return (
    <div aria-hidden="true" className="mb-8 flex flex-wrap gap-3">
      <ControlOutline className="h-11 flex-1 md:max-w-60" />
      <ControlOutline className="h-11 flex-1 md:max-w-44" />
      <ControlOutline className="h-11 basis-full md:ml-auto md:basis-64" />
    </div>
  );
}

/** The outline of tabs, with the widths of their names. */
export function TabsOutline({ widths }: { widths: readonly string[] }) {
  return (
    <div className={`flex gap-6 py-3 pointer-coarse:py-3.5 ${TAB_ROW}`}>
      {widths.map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  );
}

/** The outline of the keys and their form, below the figures. */
export function KeysOutline() {
  return (
    <div aria-hidden="true">
      <TabsOutline widths={["w-9", "w-10"]} />
      <Skeleton className="mt-7.5 mb-5.5 w-36" />
      <div className="grid gap-8">
        <RowsSkeleton rows={2} />
        <CardSkeleton className="min-h-60" />
      </div>
    </div>
  );
}

/** Cells side by side, four if its class has room for them. The gaps between them are the hairlines. */
export function Cells({ className, ...props }: ComponentProps<"dl">) {
  return (
    <dl
      className={clsx(
        "grid grid-cols-2 gap-px overflow-hidden border-line bg-line forced-colors:bg-[CanvasText]",
        className,
      )}
      {...props}
    />
  );
}

/** Figures side by side. */
export function Figures({ figures }: { figures: readonly { readonly name: string; readonly value: ReactNode }[] }) {
  return (
    <Cells className="rounded-lg border sm:grid-cols-4">
      {figures.map(({ name, value }) => (
        <div key={name} className="min-w-0 bg-surface p-4 sm:p-5">
          <dt className="label">{name}</dt>
          <dd className="mt-1.5 text-2xl tracking-[-0.02em] text-ink tabular-nums">{value}</dd>
        </div>
      ))}
    </Cells>
  );
}

export const REPORT_FIGURES = ["Total", "Successful", "Failed", "Success rate"] as const;

/** The outline of a report: its figures and its chart. */
export function ReportOutline() {
  return (
    <div className="grid gap-8">
      <Figures figures={REPORT_FIGURES.map((name) => ({ name, value: <Skeleton className="my-1 h-7 w-20" /> }))} />
      <Card padding="none" aria-hidden="true">
        <CardHeader
          title={
            <>
              <h2>Verifications by day</h2>
              <Skeleton className="my-1 w-3/4 sm:w-72" />
            </>
          }
          actions={<ControlOutline className="h-9 w-28" />}
        />
        <div className="px-5 pt-24 pb-12 sm:pt-34">
          <Skeleton className="skeleton-bars h-44 bg-line/60! [--bars:30]" />
        </div>
      </Card>
    </div>
  );
}
