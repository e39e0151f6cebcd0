import { Client } from 'pg';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { driverUrl } from './driver-url.ts';

/** Messages within this time are sent together: PostgreSQL commits notifications one after the other. */
const COLLECT_MS = 10;
/** PostgreSQL takes less than 8,000 bytes. */
const MAX_CHARACTERS = 2_000;
const RECONNECT_MS = 1_000;
/** A connection that is silent for so long may be dead. */
const CHECK_EVERY_MS = 5_000;

const NAME = z.string().max(MAX_CHARACTERS);

/**
 * Messages between the processes. Each role of the database can send them, so a message only names rows: the receiver reads the tables. A
 * process that misses a message finds the work later.
 */
const MESSAGE = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('lane'), account: NAME }),
  z.object({ kind: z.literal('rules') }),
  z.object({ kind: z.literal('delivery'), id: NAME }),
  /** The decisions of a slot. */
  z.object({ kind: z.literal('decisions'), rule: NAME, atMs: z.int() }),
  z.object({ kind: z.literal('changed'), list: z.enum(['live', 'posts', 'messages', 'rules', 'accounts', 'lists', 'actions']) }),
]);
const PAYLOAD = z.object({ from: NAME, messages: z.array(z.unknown()) });

type Message = z.output<typeof MESSAGE>;
/** A message, or the loss of the connection: messages may be missing. */
type Received = Message | { readonly kind: 'missed' };

export interface Notifications extends AsyncDisposable {
  /** Tells the other processes. */
  send(message: Message): void;
  /** Tells all processes, and this one at once. */
  announce(message: Message): void;
  /** Receives the messages of the other processes, announcements of this one, and `missed` after a connection was lost. Returns a function that ends the subscription. */
  subscribe(listener: (message: Received) => void): () => void;
  /** Listens until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

export interface NotificationsOptions {
  readonly url: string;
  readonly channel: string;
  /** The id of this process. It ignores its own messages. */
  readonly worker: string;
  /** Runs `select pg_notify(channel, payload)`. */
  readonly notify: (payload: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens the messages between the processes, over one connection that listens. */
export function openNotifications({ url, channel, worker, notify, clock, log }: NotificationsOptions): Notifications {
  const listeners = new Set<(message: Received) => void>();
  const outbox = createOutbox({ worker, notify, clock, log });
  let isForeignKnown = false;

  function publish(message: Received): void {
    for (const listener of listeners) listener(message);
  }

  function receive(payload: string): void {
    const { from, messages, isForeign } = parsePayload(payload);
    if (isForeign) noteForeign(payload);
    if (from !== worker) for (const message of messages) publish(message);
  }

  /** Logs the first foreign message only, because its sender may send any number. */
  function noteForeign({ length }: string): void {
    if (!isForeignKnown)
      log.warn({ channel, characters: length }, 'another program sends notifications on the channel of Fanfare; Fanfare ignores them');
    isForeignKnown = true;
  }

  return {
    send: (message) => outbox.send(message),

    announce(message) {
      publish(message);
      outbox.send(message);
    },

    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async run(signal) {
      while (!signal.aborted) {
        await listen({ url, channel, receive, onListen: () => publish({ kind: 'missed' }), clock }, signal).catch((error: unknown) =>
          log.debug({ error }, 'the connection for notifications failed'),
        );
        if (!signal.aborted) await clock.sleep(RECONNECT_MS, signal).catch(() => undefined);
      }
    },

    async [Symbol.asyncDispose]() {
      await outbox.sent();
    },
  };
}

/** Collects the messages of a moment, and sends them together. */
function createOutbox({ worker, notify, clock, log }: Pick<NotificationsOptions, 'worker' | 'notify' | 'clock' | 'log'>) {
  let waiting = new Map<string, Message>();
  let sending: Promise<void> | undefined;

  async function flush(): Promise<void> {
    while (waiting.size > 0) {
      await clock.sleep(COLLECT_MS);
      const all = [...waiting.values()];
      waiting = new Map();
      for (const messages of packets(all)) {
        await notify(JSON.stringify({ from: worker, messages })).catch((error: unknown) =>
          log.debug({ error }, 'the other workers could not be notified'),
        );
      }
    }
    sending = undefined;
  }

  return {
    send(message: Message): void {
      const text = JSON.stringify(message);
      // A page shows a longer one when it loads its list again.
      if (text.length > MAX_CHARACTERS) return;
      waiting.set(text, message);
      sending ??= flush();
    },

    sent: () => sending,
  };
}

interface ListenOptions extends Pick<NotificationsOptions, 'url' | 'channel' | 'clock'> {
  readonly receive: (payload: string) => void;
  /** Runs when the connection listens. It may have missed messages before. */
  readonly onListen: () => void;
}

/** Listens until the connection ends. */
async function listen({ url, channel, receive, onListen, clock }: ListenOptions, signal: AbortSignal): Promise<void> {
  const client = new Client({
    connectionString: driverUrl(url),
    application_name: 'fanfare notifications',
    keepAlive: true,
    connectionTimeoutMillis: CHECK_EVERY_MS,
    query_timeout: CHECK_EVERY_MS,
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  client.on('error', () => end());
  client.on('end', () => end());
  client.on('notification', ({ payload }) => payload !== undefined && receive(payload));
  const stop = (): void => end();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    onListen();
    void check(client, clock, signal).catch(() => end());
    await ended;
  } finally {
    signal.removeEventListener('abort', stop);
    // Over a connection that fell silent, the end never arrives.
    client.end().catch(() => undefined);
  }
}

async function check(client: Client, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(CHECK_EVERY_MS, signal);
    await client.query('select 1');
  }
}

interface ParsedPayload {
  readonly from?: string | undefined;
  readonly messages: readonly Message[];
  /** Whether a part of the text is no message of this version. */
  readonly isForeign: boolean;
}

/** The valid messages in a text. A process of a newer version may send kinds that this version does not know. */
function parsePayload(text: string): ParsedPayload {
  const payload = PAYLOAD.safeParse(fromJson(text)).data;
  if (!payload) return { messages: [], isForeign: true };
  const messages = payload.messages.flatMap((one) => MESSAGE.safeParse(one).data ?? []);
  return { from: payload.from, messages, isForeign: messages.length < payload.messages.length };
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Splits messages so that each part fits into one notification. */
function packets(messages: readonly Message[]): readonly (readonly Message[])[] {
  const all: Message[][] = [[]];
  let length = 0;
  for (const message of messages) {
    const size = JSON.stringify(message).length;
    if (length + size > MAX_CHARACTERS && length > 0) {
      all.push([]);
      length = 0;
    }
    length += size;
    all.at(-1)?.push(message);
  }
  return all;
}
