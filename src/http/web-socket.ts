import type { Socket } from 'node:net';
import { Agent, buildConnector, DecoratorHandler, type Dispatcher, ping, WebSocket } from 'undici';
import { untilAborted, type Clock } from '#src/clock.ts';
import { type Fault, PlatformError } from '#src/errors.ts';
import { USER_AGENT } from './user-agent.ts';

/** The longest wait for a connection. */
const CONNECT_MS = 15_000;
/** How often a connection is checked. A living server answers each ping. */
const PING_MS = 30_000;

export interface WebSocketOptions {
  readonly platform: string;
  readonly url: string;
  /** They may have secrets, which no log and no error shows. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Subprotocols. Some servers read an access token from them. */
  readonly protocols?: readonly string[] | undefined;
  /** A larger message ends the connection. */
  readonly mostBytes: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when the server has accepted the connection. */
  readonly onOpen: (send: (text: string) => void) => void;
  readonly onMessage: (text: string) => void;
}

/**
 * Keeps a WebSocket open and checks it with pings. Rejects when it is lost, or with the reason of `signal`.
 *
 * Throws `missing` if the server has nothing at the address, and `unauthorized` or `forbidden` if it refuses the credentials.
 */
export async function keepWebSocket({ platform, url, clock, signal, onOpen, onMessage, ...options }: WebSocketOptions): Promise<never> {
  signal.throwIfAborted();
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  const connection = openConnection(url, options);
  const { socket } = connection;

  /** Silence is the only sign of a connection that was lost without an end. */
  const watch = async (): Promise<void> => {
    for (let before = -1; ;) {
      await clock.sleep(PING_MS, connection.ended);
      const received = connection.received();
      if (received === before) return lose(new Error(`${platform} was silent for ${PING_MS / 1_000} seconds`));
      before = received;
      if (socket.readyState === WebSocket.OPEN) ping(socket);
    }
  };

  socket.addEventListener('open', () => {
    try {
      onOpen((text) => socket.readyState === WebSocket.OPEN && socket.send(text));
    } catch (error) {
      lose(error);
    }
  });
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') onMessage(data);
  });
  socket.addEventListener('error', ({ message }) => lose(refusalOf(platform, connection.status()) ?? new Error(message)));
  socket.addEventListener('close', ({ code, reason }) => {
    lose(new Error(`${platform} closed the connection with the code ${code}${reason === '' ? '' : ` (${reason.slice(0, 100)})`}`));
  });
  watch().catch(() => undefined);
  try {
    return await untilAborted(lost, signal);
  } finally {
    connection.destroy();
  }
}

const FAULTS: ReadonlyMap<number, Fault> = new Map<number, Fault>([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'missing'],
  [410, 'missing'],
  [429, 'rateLimited'],
]);

function refusalOf(platform: string, status: number | undefined): PlatformError | undefined {
  if (status === undefined || status === 101) return undefined;
  const message = `${platform} refused the connection with the status ${status}`;
  return new PlatformError(message, { platform, fault: FAULTS.get(status) ?? 'malformed', status });
}

/** A WebSocket that can be ended without an answer of the server, which a silent one does not give. */
export interface Connection {
  readonly socket: WebSocket;
  /** Aborts when it has ended. */
  readonly ended: AbortSignal;
  /** The number of received bytes, with those of pings. */
  received(): number;
  /** The status of the server's answer; undefined before it. */
  status(): number | undefined;
  destroy(): void;
}

/** Opens a WebSocket. Its user watches whether it is alive, and destroys it. */
export function openConnection(
  address: string,
  { headers, protocols = [], mostBytes }: Pick<WebSocketOptions, 'headers' | 'protocols' | 'mostBytes'>,
): Connection {
  const ending = new AbortController();
  const connector = buildConnector({ timeout: CONNECT_MS, allowH2: false });
  let tcp: Socket | undefined;
  let status: number | undefined;
  // undici gives the socket of a WebSocket to no one else, and its dispatcher no longer ends it.
  const agent = new Agent({
    webSocket: { maxPayloadSize: mostBytes },
    connect(options, callback) {
      connector(options, (...result) => {
        const [, socket] = result;
        tcp = socket ?? undefined;
        ending.signal.addEventListener('abort', () => socket?.destroy(), { once: true });
        if (ending.signal.aborted) socket?.destroy();
        callback(...result);
      });
    },
  });
  /** The WebSocket of undici does not state the status of a refusal. */
  const noting = (handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler => {
    const decorated: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
    const start = decorated.onResponseStart?.bind(decorated);
    decorated.onResponseStart = (controller, code, ...rest) => {
      status = code;
      start?.(controller, code, ...rest);
    };
    return decorated;
  };
  const dispatcher = agent.compose((dispatch) => (options, handler) => dispatch(options, noting(handler)));
  return {
    socket: new WebSocket(address, { dispatcher, headers: { 'user-agent': USER_AGENT, ...headers }, protocols: [...protocols] }),
    ended: ending.signal,
    received: () => tcp?.bytesRead ?? 0,
    status: () => status,
    destroy() {
      ending.abort();
      agent.destroy().catch(() => undefined);
    },
  };
}
