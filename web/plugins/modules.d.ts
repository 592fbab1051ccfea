/// <reference types="mdx" />

/** A code file, loaded by code-sample.ts: a CodeSample. */
declare module "*?sample" {
  const sample: { readonly text: string; readonly html: string };
  export default sample;
}

/** Provided by sdk-sources.ts: a Record<SdkId, SdkSource>. */
declare module "virtual:sdk-sources" {
  const sources: Readonly<
    Record<
      string,
      {
        readonly example: { readonly file: string; readonly text: string; readonly html: string };
        readonly files: readonly string[];
        readonly sha256: string;
        readonly bytes: number;
      }
    >
  >;
  export default sources;
}
