/** A file of code as code-sample.ts makes it: a CodeSample. */
declare module "*?sample" {
  const sample: { readonly text: string; readonly html: string; readonly language: string };
  export default sample;
}
