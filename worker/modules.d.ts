/** wrangler imports binary files as ArrayBuffers, and text files as strings. */
declare module "*.bin" {
  const bytes: ArrayBuffer;
  export default bytes;
}
declare module "*.jsonl" {
  const text: string;
  export default text;
}
declare module "*.txt" {
  const text: string;
  export default text;
}
