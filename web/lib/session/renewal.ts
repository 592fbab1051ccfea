import { storeToken } from "./token.ts";

const underWay = new Set<Promise<unknown>>();

/** Stores the new token of an answer that ended every earlier one, so that this session goes on. */
export async function renewing<T extends { token: string }>(answer: Promise<T>): Promise<T> {
  const stored = answer.then((session) => {
    storeToken(session.token);
    return session;
  });
  underWay.add(stored);
  try {
    return await stored;
  } finally {
    underWay.delete(stored);
  }
}

/** Waits for new tokens that are on their way: a refusal of the old one means nothing until they are here. */
export async function renewalsEnded(): Promise<void> {
  await Promise.allSettled(underWay);
}
