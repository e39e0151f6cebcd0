import type { JsonObject } from '#src/operation/json.ts';
import { OPCODES, type Connection } from './connection.ts';
import { INTENTS, type GatewayEvent, type Intent } from './event.ts';

/** How many events can be replayed. */
const BUFFER = 1000;

/** Which of how many parts of the gateway. */
export type Shard = readonly [id: number, count: number];

export interface SessionOptions {
  readonly id: string;
  readonly intents: number;
  readonly shard: Shard;
}

/** What a client was told of since it identified, over as many connections as it took. */
export class Session {
  readonly id: string;
  readonly shard: Shard;
  readonly #intents: number;
  readonly #sent: { readonly seq: number; readonly text: string }[] = [];
  #seq = 0;
  #connection: Connection | undefined;
  #detachedAtMs: number | undefined;

  constructor({ id, intents, shard }: SessionOptions) {
    this.id = id;
    this.shard = shard;
    this.#intents = intents;
  }

  get seq(): number {
    return this.#seq;
  }

  /** Whether its shard is that of the guild. */
  has(guildId: string): boolean {
    const [id, count] = this.shard;
    return (BigInt(guildId) >> 22n) % BigInt(count) === BigInt(id);
  }

  asksFor(intent: Intent): boolean {
    return (this.#intents & INTENTS[intent]) !== 0;
  }

  /** Sends an event now or, while no connection is there, on resume. */
  tell({ name, data, withoutContent }: Omit<GatewayEvent, 'guildId'>): void {
    const d = withoutContent && !this.asksFor('MessageContent') ? withoutContent : data;
    this.#seq += 1;
    const text = toDispatch(name, this.#seq, d);
    this.#sent.push({ seq: this.#seq, text });
    if (this.#sent.length > BUFFER) this.#sent.shift();
    this.#connection?.sendText(text);
  }

  attach(connection: Connection): void {
    if (this.#connection !== connection) this.#connection?.drop();
    this.#connection = connection;
    this.#detachedAtMs = undefined;
  }

  /** Lets `connection` go; false where another one has taken its place. */
  detach(connection: Connection, atMs: number): boolean {
    if (this.#connection !== connection) return false;
    this.#connection = undefined;
    this.#detachedAtMs = atMs;
    return true;
  }

  detachedBefore(atMs: number): boolean {
    return this.#detachedAtMs !== undefined && this.#detachedAtMs < atMs;
  }

  /** Whether all that came after `seq` is still known. */
  canReplay(seq: number): boolean {
    return seq === this.#seq || (this.#sent[0]?.seq ?? Infinity) <= seq + 1;
  }

  /** Sends again what came after `seq`, in order, and that this was all. */
  replay(seq: number): void {
    for (const { seq: at, text } of this.#sent) if (at > seq) this.#connection?.sendText(text);
    this.#connection?.sendText(toDispatch('RESUMED', this.#seq, { _trace: [] }));
  }
}

function toDispatch(t: string, s: number, d: JsonObject): string {
  return JSON.stringify({ t, s, op: OPCODES.dispatch, d });
}
