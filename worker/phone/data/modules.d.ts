/** wrangler imports binary tables as ArrayBuffers. */
declare module "*.bin" {
  const bytes: ArrayBuffer;
  export default bytes;
}
