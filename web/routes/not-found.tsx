import { Link } from "react-router";

export function meta() {
  return [{ title: "Page not found · Checkline" }];
}

export default function NotFound() {
  return (
    <main className="page">
      <h1>404</h1>
      <p>Oops! Page not found</p>
      <p>
        <Link to="/">Back to the home page</Link>
      </p>
    </main>
  );
}
