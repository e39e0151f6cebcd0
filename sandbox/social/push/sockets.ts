import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Faults } from '../../faults.ts';

/** A connected client. */
export interface Client {
  /** Sends a message, unless the connection is silent. */
  send(text: string): void;
  close(code: number, reason: string): void;
}

interface SocketsOptions {
  readonly platform: string;
  readonly faults: Faults;
}

/** The WebSocket server of a platform. */
export class Sockets<C extends Client = Client> {
  readonly #options: SocketsOptions;
  readonly #server = new WebSocketServer({ noServer: true, autoPong: false });
  readonly #clients = new Map<WebSocket, C>();

  constructor(options: SocketsOptions) {
    this.#options = options;
  }

  /** The connected clients, oldest first. */
  all(): readonly C[] {
    return [...this.#clients.values()];
  }

  /** Accepts a connection. `open` makes its client, which gets each message of it. */
  accept(
    { request, socket, head }: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
    open: (client: Client) => { readonly client: C; readonly onMessage: (text: string) => void },
  ): void {
    const { platform, faults } = this.#options;
    this.#server.handleUpgrade(request, socket, head, (connection) => {
      let isSilent = false;
      const isSilenced = (): boolean =>
        (isSilent ||= faults.take('silentSocket', { platform, method: 'GET', path: request.url ?? '/' }) !== undefined);
      const { client, onMessage } = open({
        send: (text) => !isSilenced() && connection.send(text),
        close: (code, reason) => connection.close(code, reason),
      });
      this.#clients.set(connection, client);
      connection.on('ping', (data) => !isSilenced() && connection.pong(data));
      connection.on('message', (data: Buffer) => onMessage(data.toString()));
      connection.on('error', () => connection.terminate());
      connection.on('close', () => this.#clients.delete(connection));
    });
  }

  /** Closes all connections: with a code, or as a lost network does. Returns their number. */
  disconnect(code?: number): number {
    const { size } = this.#clients;
    for (const connection of this.#clients.keys()) {
      if (code === undefined) connection.terminate();
      else connection.close(code);
    }
    return size;
  }

  async close(): Promise<void> {
    for (const connection of this.#server.clients) connection.terminate();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** Refuses a WebSocket with a status. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
