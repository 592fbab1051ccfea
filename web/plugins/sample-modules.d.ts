/** A file of code as code-sample.ts makes it: a CodeSample. */
declare module "*?sample" {
  const sample: { readonly text: string; readonly html: string; readonly language: string };
  export default sample;
}

declare module "virtual:sdk-sources" {
  const sources: Readonly<Record<import("../../contract/sdks.ts").SdkId, import("./sdk-sources.ts").SdkSource>>;
  export default sources;
}
