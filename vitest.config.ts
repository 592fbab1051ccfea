import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{contract,worker,scripts}/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "api",
          include: ["test/api/**/*.test.ts"],
          // Each file runs a whole workerd; more at once than cores only makes them all slow.
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
