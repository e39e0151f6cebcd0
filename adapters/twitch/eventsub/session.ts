import { WebSocket } from 'ws';
import type { Clock } from '#src/clock.ts';
import { type EventSubMessage, readEventSubMessage } from './read-message.ts';

/** The longest wait for the first message of a connection. */
const WELCOME_MS = 15_000;
/** A keepalive may be late by this time. */
const LATE_MS = 5_000;
/** Messages of EventSub have a few kilobytes. */
const MOST_BYTES = 1_000_000;

export interface SessionOptions {
  /** The address of the WebSocket server. */
  readonly url: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /**
   * Called with the id of the session after each welcome. `isContinued`: Twitch moved the session to another connection, so no
   * notification was lost. The session ends if it rejects.
   */
  readonly onWelcome: (sessionId: string, isContinued: boolean) => Promise<void>;
  readonly onMessage: (message: EventSubMessage) => void;
}

/**
 * Keeps a session with the WebSocket server of EventSub. Rejects when it is lost, or with the reason of `signal`. Twitch ends the
 * connection of a client that sends anything, so this one only answers pings.
 */
export async function keepSession({ url, clock, signal, onWelcome, onMessage }: SessionOptions): Promise<never> {
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  const open = new Set<WebSocket>();
  let current: WebSocket | undefined;

  function connect(address: string): void {
    const old = current;
    const socket = new WebSocket(address, { handshakeTimeout: WELCOME_MS, maxPayload: MOST_BYTES, perMessageDeflate: false });
    let heardMs = clock.nowMs();
    let patienceMs = WELCOME_MS;
    open.add(socket);

    /** While the old connection lasts, the loss of its successor is no loss of the session. */
    const fail = (why: string): void => {
      socket.terminate();
      if (current === socket || current === undefined) lose(new Error(why));
    };
    const welcome = async (sessionId: string): Promise<void> => {
      current = socket;
      await onWelcome(sessionId, old !== undefined);
      old?.terminate();
    };

    socket.on('error', ({ message }) => fail(message));
    socket.on('close', (code) => {
      open.delete(socket);
      fail(`the connection was closed with the code ${code}`);
    });
    socket.on('message', (data: Buffer) => {
      heardMs = clock.nowMs();
      const message = readEventSubMessage(data.toString('utf8'));
      if (message?.kind === 'welcome') {
        patienceMs = message.keepaliveMs + LATE_MS;
        welcome(message.sessionId).catch((error: unknown) => lose(error));
      } else if (message?.kind === 'reconnect') {
        // A connection without TLS must not follow one with it.
        if (new URL(message.url).protocol === new URL(url).protocol) connect(message.url);
      } else if (message) onMessage(message);
    });

    /** Silence is the only sign of a connection that was lost without an end. */
    const watch = async (): Promise<void> => {
      const closed = new AbortController();
      socket.once('close', () => closed.abort());
      while (!closed.signal.aborted) {
        const leftMs = heardMs + patienceMs - clock.nowMs();
        if (leftMs <= 0) return fail(`it was silent for ${patienceMs / 1000} seconds`);
        await clock.sleep(leftMs, closed.signal);
      }
    };
    watch().catch(() => undefined);
  }

  const stop = (): void => lose(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    connect(url);
    return await lost;
  } finally {
    signal.removeEventListener('abort', stop);
    for (const socket of open) socket.terminate();
  }
}
