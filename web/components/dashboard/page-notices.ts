import { createContext } from "react";
import type { ReactNode } from "react";

/** What the dashboard has to say on a page; it stands below the page's heading. */
export const PageNotices = createContext<ReactNode>(null);
