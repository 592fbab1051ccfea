/// <reference types="mdx" />
// oxlint-disable typescript/consistent-type-imports -- Declarations of modules have no other way to import.

/** A code file, loaded by code-sample.ts. */
declare module "*?sample" {
  const sample: import("./code-sample.ts").CodeSample;
  export default sample;
}

/** Provided by sdk-sources.ts. */
declare module "virtual:sdk-sources" {
  const sources: import("./sdk-sources.ts").SdkSources;
  export default sources;
}
