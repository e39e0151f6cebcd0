import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { SandboxContext } from '../context.ts';
import { type DeliverWithFaults, faultyDelivery } from '../notifications/faulty-delivery.ts';
import { type Client, refuseUpgrade, Sockets } from '../social/push/sockets.ts';
import { parseAtUri } from './addresses.ts';
import { toTid } from './encoding.ts';
import { recordOf } from './post-records.ts';
import type { RecordChange } from './records.ts';
import { type BlueskyState, NAME } from './state.ts';

/** How often generated posts are looked for. Written records are sent at once. */
const LOOK_MS = 1_000;
/** The events that a cursor reaches. */
const KEPT = 1_000;
const MOST_DIDS = 10_000;
const INVALID_OPTIONS = 1008;
/** An account that no one has. */
const FOREIGN_DID = 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa';
export const JETSTREAM_PATH = `/${NAME}/jetstream/subscribe`;

const Options = z.object({
  wantedCollections: z.array(z.string()).max(100).default([]),
  wantedDids: z.array(z.string().startsWith('did:')).max(MOST_DIDS).default([]),
  maxMessageSizeBytes: z.int().default(0),
});
const Update = z.object({ type: z.literal('options_update'), payload: Options });

interface Event {
  readonly did: string;
  /** Absent for changes of an account, which all collections have. */
  readonly collection?: string | undefined;
  readonly timeUs: number;
  readonly text: string;
}

interface Connected extends Client {
  options: z.output<typeof Options>;
  /** The events from this time on; undefined: only new ones. */
  readonly cursorUs: number | undefined;
  /** Whether the server waits for the first message. */
  isWaiting: boolean;
}

/** Jetstream: a WebSocket with the changes of all accounts, filtered by accounts and collections. */
export class Jetstream {
  readonly #state: BlueskyState;
  readonly #context: SandboxContext;
  readonly #sockets: Sockets<Connected>;
  readonly #over = new AbortController();
  readonly #deliver: DeliverWithFaults;
  #events: readonly Event[] = [];
  #isLooking = false;
  #lastUs = 0;

  constructor(state: BlueskyState, context: SandboxContext) {
    const { clock, faults } = context;
    this.#state = state;
    this.#context = context;
    this.#sockets = new Sockets({ platform: NAME, faults });
    this.#deliver = faultyDelivery({ platform: NAME, clock, faults, signal: this.#over.signal });
    state.changes.add((change) => this.#announceRecord(change));
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'ws://jetstream');
    const wanted = { wantedCollections: searchParams.getAll('wantedCollections'), wantedDids: searchParams.getAll('wantedDids') };
    const options = Options.safeParse(wanted);
    if (pathname !== JETSTREAM_PATH) return refuseUpgrade(socket, 404);
    if (!options.success) return refuseUpgrade(socket, 400);
    const cursor = searchParams.get('cursor');
    const cursorUs = cursor === null ? undefined : Number(cursor);
    this.#sockets.accept({ request, socket, head }, (client) => {
      const isWaiting = searchParams.get('requireHello') === 'true';
      const connected: Connected = { ...client, options: options.data, cursorUs, isWaiting };
      if (!isWaiting) this.#replay(connected);
      // The first look is after the registration of this client.
      queueMicrotask(() => void this.#announceGenerated());
      return { client: connected, onMessage: (text) => this.#onMessage(connected, text) };
    });
  }

  /** Sends that an account changed, for example that it was suspended. */
  announceAccount(did: string, status: JsonObject): void {
    const seq = this.#events.length;
    this.#emit({ did }, (timeUs) => ({ kind: 'account', account: { ...status, did, seq, time: new Date(timeUs / 1_000).toISOString() } }));
  }

  /** The connections with the number of their accounts. */
  describe(): JsonObject {
    const connections = this.#sockets
      .all()
      .map(({ options }) => ({ dids: options.wantedDids.length, collections: options.wantedCollections }));
    return { connections };
  }

  disconnect(code: number | undefined): number {
    return this.#sockets.disconnect(code);
  }

  async close(): Promise<void> {
    this.#over.abort();
    await this.#sockets.close();
  }

  #announceRecord({ operation, named: { uri, cid, record } }: RecordChange): void {
    const { repo: did = '', collection = '', rkey = '' } = parseAtUri(uri) ?? {};
    const content = operation === 'delete' ? {} : { record, cid };
    this.#emit({ did, collection }, (timeUs) => ({
      kind: 'commit',
      commit: { rev: toTid(timeUs), operation, collection, rkey, ...content },
    }));
  }

  #emit({ did, collection }: Pick<Event, 'did' | 'collection'>, contentAt: (timeUs: number) => JsonObject): void {
    const timeUs = (this.#lastUs = Math.max(this.#lastUs + 1, this.#context.clock.nowMs() * 1_000));
    const event = { did, collection, timeUs, text: JSON.stringify({ did, time_us: timeUs, ...contentAt(timeUs) }) };
    this.#events = [...this.#events, event].slice(-KEPT);
    for (const client of this.#sockets.all()) if (!client.isWaiting) this.#send(client, event);
  }

  #send(client: Connected, { did, collection, text }: Event): void {
    const { wantedDids, wantedCollections, maxMessageSizeBytes } = client.options;
    const isWanted = (wanted: readonly string[], value: string): boolean => wanted.length === 0 || wanted.includes(value);
    if (!isWanted(wantedDids, did) || (collection !== undefined && !isWanted(wantedCollections, collection))) return;
    if (maxMessageSizeBytes > 0 && Buffer.byteLength(text) > maxMessageSizeBytes) return;
    this.#deliver({
      path: `${JETSTREAM_PATH}/${collection ?? 'account'}/${did}`,
      send: () => client.send(text),
      sendForeign: () => client.send(text.replaceAll(did, FOREIGN_DID)),
      sendForged: () => client.send('{"did":"did:plc:'),
    });
  }

  #onMessage(client: Connected, text: string): void {
    const update = Update.safeParse(JSON.parse(text));
    if (!update.success) return client.close(INVALID_OPTIONS, 'invalid options');
    client.options = update.data.payload;
    if (client.isWaiting) this.#replay(client);
    client.isWaiting = false;
  }

  #replay(client: Connected): void {
    const { cursorUs = Infinity } = client;
    for (const event of this.#events) if (event.timeUs >= cursorUs) this.#send(client, event);
  }

  /** Generated posts appear without a request. */
  async #announceGenerated(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { clock } = this.#context;
    for (let sinceMs = clock.nowMs(); this.#sockets.all().length > 0;) {
      await clock.sleep(LOOK_MS, this.#over.signal).catch(() => undefined);
      if (this.#over.signal.aborted) return;
      const nowMs = clock.nowMs();
      const added = this.#state.core.generatedPosts.at(nowMs).filter(({ createdAtMs }) => createdAtMs > sinceMs);
      for (const post of added.toReversed()) this.#announceRecord({ operation: 'create', named: recordOf(post, this.#state) });
      sinceMs = nowMs;
    }
    this.#isLooking = false;
  }
}
