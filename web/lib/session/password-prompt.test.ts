import { expect, test, vi } from "vitest";
import { passwordGiven, provideQuestion } from "./password-prompt.ts";

test("concurrent calls that need the password ask once, later ones again; without a prompt it was not given", async () => {
  expect(await passwordGiven()).toBe(false);
  const answers: ((given: boolean) => void)[] = [];
  const ask = vi.fn<() => Promise<boolean>>(() => new Promise((resolve) => answers.push(resolve)));
  const takeBack = provideQuestion(ask);

  const together = [passwordGiven(), passwordGiven()];
  expect(ask).toHaveBeenCalledTimes(1);
  answers[0]!(true);
  expect(await Promise.all(together)).toStrictEqual([true, true]);

  const later = passwordGiven();
  expect(ask).toHaveBeenCalledTimes(2);
  answers[1]!(false);
  expect(await later).toBe(false);

  takeBack();
  expect(await passwordGiven()).toBe(false);
  expect(ask).toHaveBeenCalledTimes(2);
});
