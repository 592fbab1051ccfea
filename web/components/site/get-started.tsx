import { ButtonLink } from "../ui/button.tsx";
import type { ComponentProps } from "react";

type GetStartedProps = Omit<ComponentProps<typeof ButtonLink>, "to" | "state" | "children"> & {
  readonly children?: string;
};

/** Leads to the dashboard, and visitors from there to the login page, which offers newcomers an account first. */
export function GetStarted({ children = "Get Started", ...look }: GetStartedProps) {
  return (
    <ButtonLink {...look} to="/dashboard" state={{ isNew: true }}>
      {children}
    </ButtonLink>
  );
}
