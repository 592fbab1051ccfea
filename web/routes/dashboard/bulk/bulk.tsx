import { PageHeading } from "../../../components/dashboard/page-heading.tsx";
import { pageMeta } from "../../../lib/page-meta.ts";
import { useCheck } from "./check.ts";
import { CheckView } from "./check-view.tsx";
import { useDropGuard } from "./file-source.tsx";
import { Setup } from "./setup.tsx";

export function meta() {
  return pageMeta({
    title: "Bulk check · Checkline",
    description: "Check a list of phone numbers in the browser, with an API key of yours.",
    path: "/dashboard/bulk",
    indexed: false,
  });
}

export default function Bulk() {
  const check = useCheck();
  useDropGuard();
  return (
    <>
      <PageHeading
        title="Bulk check"
        description="Checks a list from this page, a hundred numbers a call. The numbers go to the API and nowhere else, and neither they nor the results are stored: download the results before you leave."
      />
      {check === null ? <Setup /> : <CheckView check={check} />}
    </>
  );
}
