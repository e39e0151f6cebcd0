import { untilAborted, type Clock } from '#src/clock.ts';
import { type Connection, openConnection } from '#src/http/web-socket.ts';
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
  /** Called for each message that has another form than Twitch documents. */
  readonly onMalformed: () => void;
}

/**
 * Keeps a session with the WebSocket server of EventSub. Rejects when it is lost, or with the reason of `signal`. Twitch ends the
 * connection of a client that sends anything, so this one only answers pings.
 */
export async function keepSession({ url, clock, signal, onWelcome, onMessage, onMalformed }: SessionOptions): Promise<never> {
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  const open = new Set<Connection>();
  let current: Connection | undefined;

  function connect(address: string): void {
    const old = current;
    const connection = openConnection(address, { mostBytes: MOST_BYTES });
    const { socket } = connection;
    let heardMs = clock.nowMs();
    let patienceMs = WELCOME_MS;
    open.add(connection);

    /** While the old connection lasts, the loss of its successor is no loss of the session. */
    const fail = (why: string): void => {
      open.delete(connection);
      connection.destroy();
      if (current === connection || current === undefined) lose(new Error(why));
    };
    const welcome = async (sessionId: string): Promise<void> => {
      current = connection;
      await onWelcome(sessionId, old !== undefined);
      old?.destroy();
    };

    socket.addEventListener('error', ({ message }) => fail(message || 'the connection failed'));
    socket.addEventListener('close', ({ code }) => fail(`the connection was closed with the code ${code}`));
    socket.addEventListener('message', ({ data }) => {
      heardMs = clock.nowMs();
      const message = typeof data === 'string' ? readEventSubMessage(data) : undefined;
      if (message?.kind === 'welcome') {
        patienceMs = message.keepaliveMs + LATE_MS;
        welcome(message.sessionId).catch((error: unknown) => lose(error));
      } else if (message?.kind === 'reconnect') {
        // A connection without TLS must not follow one with it.
        if (new URL(message.url).protocol === new URL(url).protocol) connect(message.url);
      } else if (message) onMessage(message);
      else onMalformed();
    });

    /** Silence is the only sign of a connection that was lost without an end. */
    const watch = async (): Promise<void> => {
      for (;;) {
        const leftMs = heardMs + patienceMs - clock.nowMs();
        if (leftMs <= 0) return fail(`it was silent for ${patienceMs / 1000} seconds`);
        await clock.sleep(leftMs, connection.ended);
      }
    };
    watch().catch(() => undefined);
  }

  try {
    signal.throwIfAborted();
    connect(url);
    return await untilAborted(lost, signal);
  } finally {
    for (const connection of open) connection.destroy();
  }
}
