import { index, route } from "@react-router/dev/routes";
import type { RouteConfig } from "@react-router/dev/routes";

export default [
  index("routes/home/home.tsx"),
  route("help", "routes/help/help.tsx"),
  route("policy", "routes/policy/policy.tsx"),
  route("terms", "routes/terms/terms.tsx"),
  route("about", "routes/about/about.tsx"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
