/** The base class of Durable Objects, of which a ledger in this process needs only this. */
export class DurableObject<Env> {
  protected readonly ctx: unknown;
  protected readonly env: Env;
  constructor(ctx: unknown, env: Env) {
    this.ctx = ctx;
    this.env = env;
  }
}
