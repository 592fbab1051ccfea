import type { BatchItem, VerificationResult } from "../../../../../contract/verification.ts";
import { createCountryReader } from "../../../../../lists/columns/read-country.ts";
import type { CountryReader } from "../../../../../lists/columns/read-country.ts";
import { isActive } from "../../../../../lists/run.ts";
import { ANY_NUMBER } from "../../../../lib/acceptance.ts";
import { createDesk } from "../desk.ts";
import type { News } from "../desk.ts";
import type { CheckChoices, CheckInfo, CheckStore } from "../store.ts";
import type { Page, View } from "../view.ts";

const closed = () => Promise.reject(new Error("closed"));
/** The store of a browser that keeps nothing. */
export const UNKEPT: CheckStore = { begin: closed, add: closed, load: closed, clear: closed, change: closed };

/** The service's result for the next number. */
type Answer = (item: BatchItem, at: number) => VerificationResult;

/** A desk whose service is the test; `sent` has the numbers that it was asked for. */
export function openDesk(store: CheckStore = UNKEPT, readCountry: CountryReader = createCountryReader()) {
  const sent: BatchItem[] = [];
  let answer: Answer = () => ({}) as VerificationResult;
  let page: Page | null = null;
  let over = Promise.withResolvers<void>();
  const desk = createDesk({
    store,
    readCountry,
    async *send({ numbers }) {
      await Promise.resolve();
      const first = sent.push(...numbers) - numbers.length;
      yield numbers.map((item, at) => answer(item, first + at));
      return { kind: "answered", limit: null };
    },
    tell(news: News) {
      if ("page" in news) ({ page } = news);
      else if (!isActive(news.state.phase)) over.resolve();
    },
    now: () => 0,
    async sleep() {},
  });
  return {
    ...desk,
    sent,
    /** Checks what is open to its end. */
    async check(answers: Answer | readonly VerificationResult[], choices: Partial<CheckChoices & CheckInfo> = {}) {
      const first = sent.length;
      answer = typeof answers === "function" ? answers : (_, at) => answers[at - first]!;
      over = Promise.withResolvers();
      const given = { id: "check", account: "usr_1", country: "", coversUnread: false, condition: ANY_NUMBER };
      const work = await desk.begin({ ...given, startedAt: 0, ...choices });
      await over.promise;
      // The end of the run's own work.
      await Promise.resolve();
      return work;
    },
    /** Accepts a suggestion, or all, and waits until it is looked up. */
    async accept(place: number | null): Promise<void> {
      const { numbers } = await desk.offer(place);
      over = Promise.withResolvers();
      await desk.take(place);
      if (numbers > 0) await over.promise;
      await new Promise((resolve) => setTimeout(resolve));
    },
    async page(view: View, at: number): Promise<Page> {
      await desk.look(view, at);
      return page!;
    },
  };
}

export type TestDesk = ReturnType<typeof openDesk>;
