import { useState } from "react";
import { PLAN_QUOTA, REQUESTS_PER_MINUTE } from "../../../contract/limits.ts";
import { CONTACT, mailto } from "../../content/contact.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import type { ButtonLook } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

const TERMS = [
  "Billed per successful request; failed look-ups are free",
  `${REQUESTS_PER_MINUTE.pro} requests a minute`,
  PLAN_QUOTA.pro === null ? "No quota" : `${PLAN_QUOTA.pro.toLocaleString("en-US")} successful verifications`,
];

/** "Upgrade to Pro", and the dialog that says how things stand: there is nothing to buy yet. */
export function UpgradeButton({ variant = "secondary", size = "sm" }: Pick<ButtonLook, "variant" | "size">) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant={variant} size={size} onClick={() => setOpen(true)}>
        Upgrade to Pro
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        size="sm"
        title="Coming soon"
        description="Pro cannot be bought yet, and no price has been set. What it will bring is known:"
        cancel={<Button variant="secondary">Close</Button>}
        actions={<ButtonLink to={mailto(CONTACT.support, "Upgrade to Pro")}>Write to us</ButtonLink>}
      >
        <ul className="divide-y divide-line border-y border-line">
          {TERMS.map((line) => (
            <li key={line} className="py-2.5 text-soft">
              {line}
            </li>
          ))}
        </ul>
        <p className="mt-4 text-sm text-muted">
          Do you need more than the trial holds before then? Write to{" "}
          <a href={mailto(CONTACT.support, "Upgrade to Pro")} className="text-link text-ink">
            {CONTACT.support}
          </a>
          .
        </p>
      </Dialog>
    </>
  );
}
