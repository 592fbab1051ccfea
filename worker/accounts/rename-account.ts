import { eq } from "drizzle-orm";
import { users } from "../../schema.ts";
import type { Io } from "../io.ts";
import type { AccountRow } from "./accounts.ts";
import { change } from "./change.ts";
import type { Session } from "./sessions.ts";

/** Renames the session's account. @throws ApiError as `change` */
export async function renameAccount(io: Io, session: Session, name: string): Promise<AccountRow> {
  const renaming = io.db.update(users).set({ name }).where(eq(users.id, session.userId)).returning();
  const [[renamed]] = await change(io, session, [renaming]);
  return renamed!;
}
