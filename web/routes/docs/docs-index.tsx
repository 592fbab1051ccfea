import { Navigate } from "react-router";

export function meta() {
  return [{ title: "Checkline docs" }, { name: "robots", content: "noindex" }];
}

/** `/docs` is where the docs begin. The server redirects: public/_redirects. */
export default function DocsIndex() {
  return <Navigate to="/docs/introduction" replace />;
}
