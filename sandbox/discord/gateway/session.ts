import type { WebSocket } from 'ws';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { Presence } from './payload.ts';
import { type GatewayEvent, INTENTS, type Intent } from './event.ts';

export const OPCODES = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presenceUpdate: 3,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const;

export const CLOSE_CODES = {
  unknownOpcode: 4001,
  decodeError: 4002,
  notAuthenticated: 4003,
  authenticationFailed: 4004,
  alreadyAuthenticated: 4005,
  invalidSeq: 4007,
  invalidShard: 4010,
  shardingRequired: 4011,
  disallowedIntents: 4014,
} as const;

/** One WebSocket of a client. */
export class Connection {
  readonly #socket: WebSocket;
  /** The connection is open, but it neither answers nor sends events. */
  #zombie = false;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  get isZombie(): boolean {
    return this.#zombie;
  }

  send(op: number, d: Json): void {
    this.sendText(JSON.stringify({ op, d, s: null, t: null }));
  }

  sendText(text: string): void {
    if (!this.#zombie && this.#socket.readyState === this.#socket.OPEN) this.#socket.send(text);
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  /** Ends the connection without a close frame. */
  drop(): void {
    this.#socket.terminate();
  }

  becomeZombie(): void {
    this.#zombie = true;
  }
}

const MOST_PRESENCES = 5;
const PRESENCE_WINDOW_MS = 20_000;
/** How many events can be replayed. */
const MAX_REPLAYED = 1000;

/** A shard of the gateway. */
export type Shard = readonly [id: number, count: number];

/** The events of a client since it identified, across its connections. */
export class Session {
  readonly id: string;
  readonly shard: Shard;
  readonly #intents: number;
  readonly #sent: { readonly seq: number; readonly text: string }[] = [];
  /** What the bot shows in the guilds of the shard. */
  presence: Presence | undefined;
  #presenceAtMs: readonly number[] = [];
  #seq = 0;
  #connection: Connection | undefined;
  #detachedAtMs: number | undefined;

  constructor({ id, intents, shard }: { readonly id: string; readonly intents: number; readonly shard: Shard }) {
    this.id = id;
    this.shard = shard;
    this.#intents = intents;
  }

  /** Shows a presence. Discord ignores more than five changes in 20 seconds. */
  present(presence: Presence, nowMs: number): void {
    const recent = this.#presenceAtMs.filter((atMs) => atMs > nowMs - PRESENCE_WINDOW_MS);
    if (recent.length >= MOST_PRESENCES) return;
    this.#presenceAtMs = [...recent, nowMs];
    this.presence = presence;
  }

  get seq(): number {
    return this.#seq;
  }

  /** Whether the guild belongs to the shard of the session. */
  has(guildId: string): boolean {
    const [id, count] = this.shard;
    return (BigInt(guildId) >> 22n) % BigInt(count) === BigInt(id);
  }

  hasIntent(intent: Intent): boolean {
    return (this.#intents & INTENTS[intent]) !== 0;
  }

  /** Sends an event. Without a connection, the client receives it when it resumes. */
  dispatch({ name, data, withoutContent }: Omit<GatewayEvent, 'guildId'>): void {
    const d = withoutContent && !this.hasIntent('MessageContent') ? withoutContent : data;
    this.#seq += 1;
    const text = toDispatch(name, this.#seq, d);
    this.#sent.push({ seq: this.#seq, text });
    if (this.#sent.length > MAX_REPLAYED) this.#sent.shift();
    this.#connection?.sendText(text);
  }

  attach(connection: Connection): void {
    if (this.#connection !== connection) this.#connection?.drop();
    this.#connection = connection;
    this.#detachedAtMs = undefined;
  }

  /** Detaches the connection. Returns false if another connection has replaced it. */
  detach(connection: Connection, atMs: number): boolean {
    if (this.#connection !== connection) return false;
    this.#connection = undefined;
    this.#detachedAtMs = atMs;
    return true;
  }

  detachedBefore(atMs: number): boolean {
    return this.#detachedAtMs !== undefined && this.#detachedAtMs < atMs;
  }

  /** Whether all events after `seq` are still stored. */
  canReplay(seq: number): boolean {
    return seq === this.#seq || (this.#sent[0]?.seq ?? Infinity) <= seq + 1;
  }

  /** Sends the events after `seq` again, and then `RESUMED`. */
  replay(seq: number): void {
    for (const { seq: at, text } of this.#sent) if (at > seq) this.#connection?.sendText(text);
    this.#connection?.sendText(toDispatch('RESUMED', this.#seq, { _trace: [] }));
  }
}

function toDispatch(t: string, s: number, d: JsonObject): string {
  return JSON.stringify({ t, s, op: OPCODES.dispatch, d });
}
