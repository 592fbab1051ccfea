import { Navigate } from "react-router";

export function meta() {
  return [{ title: "Checkline docs" }, { name: "robots", content: "noindex" }];
}

/** `/docs` redirects to the first page of the docs; on the server, public/_redirects does. */
export default function DocsIndex() {
  return <Navigate to="/docs/introduction" replace />;
}
