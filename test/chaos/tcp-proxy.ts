import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/**
 * How a proxy treats connections:
 *
 * - `pass`: it forwards everything.
 * - `refuse`: it resets all connections and every new one.
 * - `reset`: it resets all connections, and forwards new ones.
 * - `freeze`: connections stay open, and no byte arrives in either direction.
 * - `forget`: all connections stay open without a byte for ever, and new ones pass, as after a failure of a firewall.
 * - `freezeToServer`, `freezeToClient`: only one direction is frozen.
 * - `delay`: every byte arrives late.
 */
export const PROXY_MODES = ['pass', 'refuse', 'reset', 'forget', 'freeze', 'freezeToServer', 'freezeToClient', 'delay'] as const;
type ProxyMode = (typeof PROXY_MODES)[number];

export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  readonly mode: ProxyMode;
  /** The number of open connections. */
  readonly connections: number;
  /** Applies to open and to new connections. */
  setMode(mode: ProxyMode): void;
}

export interface TcpProxyOptions {
  readonly targetPort: number;
  readonly delayMs?: number;
}

const HOST = '127.0.0.1';

/** Forwards connections to a local port, and disturbs them on request. */
export async function startTcpProxy({ targetPort, delayMs = 1_000 }: TcpProxyOptions): Promise<TcpProxy> {
  let mode: ProxyMode = 'pass';
  const links = new Set<Link>();

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (mode === 'refuse') {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const link = openLink(client, { targetPort, delayMs, onClose: () => links.delete(link) });
    links.add(link);
    link.setMode(mode);
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port

  return {
    port,
    get mode() {
      return mode;
    },
    get connections() {
      return links.size;
    },
    setMode(next) {
      mode = next === 'reset' || next === 'forget' ? 'pass' : next;
      for (const link of links) {
        if (next === 'refuse' || next === 'reset') link.reset();
        else if (next === 'forget') link.forget();
        else link.setMode(next);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const link of links) link.reset();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Link {
  setMode(mode: ProxyMode): void;
  /** Stops passing bytes. */
  forget(): void;
  reset(): void;
}

interface LinkOptions {
  readonly targetPort: number;
  readonly delayMs: number;
  readonly onClose: () => void;
}

/** Both directions of one connection. */
function openLink(client: Socket, { targetPort, delayMs, onClose }: LinkOptions): Link {
  const server = connect({ port: targetPort, host: HOST, allowHalfOpen: true });
  for (const socket of [client, server]) socket.setNoDelay(true);
  const [toServer, toClient] = [new Gate(), new Gate()];
  let isForgotten = false;
  client.pipe(toServer.stream).pipe(server);
  server.pipe(toClient.stream).pipe(client);

  function end(): void {
    toServer.open(0);
    toClient.open(0);
    onClose();
  }
  client.on('error', () => server.resetAndDestroy()).on('close', end);
  server.on('error', () => client.resetAndDestroy()).on('close', end);

  return {
    setMode(mode) {
      if (isForgotten) return;
      const ms = mode === 'delay' ? delayMs : 0;
      if (mode === 'freeze' || mode === 'freezeToServer') toServer.close();
      else toServer.open(ms);
      if (mode === 'freeze' || mode === 'freezeToClient') toClient.close();
      else toClient.open(ms);
    },
    forget() {
      isForgotten = true;
      toServer.close();
      toClient.close();
    },
    reset() {
      client.resetAndDestroy();
      server.resetAndDestroy();
    },
  };
}

/** One direction of a connection, which can be frozen. */
class Gate {
  readonly stream: Transform;
  #delayMs = 0;
  #isOpen = true;
  #waiting: (() => void) | undefined;

  constructor() {
    this.stream = new Transform({
      transform: (chunk: Buffer, _encoding, done) => this.#pass(() => done(undefined, chunk)),
      // The end of a connection is held up like its data.
      flush: (done) => this.#pass(() => done()),
    });
  }

  open(delayMs: number): void {
    this.#delayMs = delayMs;
    this.#isOpen = true;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.();
  }

  close(): void {
    this.#isOpen = false;
  }

  #pass(forward: () => void): void {
    const pass = (): void => {
      if (this.#isOpen) forward();
      else this.#waiting = forward;
    };
    if (this.#delayMs === 0) pass();
    else setTimeout(pass, this.#delayMs).unref();
  }
}
