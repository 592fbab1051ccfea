import { Mail } from "lucide-react";
import { useState } from "react";
import { ButtonLink } from "../../components/ui/button.tsx";
import { pageMeta } from "../../lib/page-meta.ts";
import { RegisterForm } from "./register-form.tsx";
import { StatusView } from "./status-view.tsx";

export function meta() {
  return pageMeta({
    title: "Create account · Checkline",
    description: "Create a Checkline account and start the free trial of the phone number verification API.",
    path: "/register",
    indexed: false,
  });
}

export default function Register() {
  const [email, setEmail] = useState<string>();
  if (email === undefined) return <RegisterForm onDone={setEmail} />;
  return (
    <StatusView
      focused
      icon={<Mail aria-hidden="true" className="size-7 text-muted" strokeWidth={1.25} />}
      title="Account created"
      actions={<ButtonLink to="/login">Go to login</ButtonLink>}
    >
      <p>
        A verification email has been sent to <strong className="font-medium break-words text-ink">{email}</strong>.
        Open the link in it within 24 hours to activate your account.
      </p>
      <p>Nothing there after a few minutes? Look among the spam, or log in and ask for a new one.</p>
    </StatusView>
  );
}
