import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { closeSocket, Session, type SessionContext } from './session.ts';

const LEAST_KEEPALIVE_SECONDS = 10;
const MOST_KEEPALIVE_SECONDS = 600;

/** The WebSocket server of EventSub. */
export class Sessions {
  readonly #context: SessionContext;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #byId = new Map<string, Session>();

  constructor(context: SessionContext) {
    this.#context = {
      ...context,
      ended: (session, status) => {
        this.#byId.delete(session.id);
        context.ended(session, status);
      },
    };
  }

  find(id: string): Session | undefined {
    return this.#byId.get(id);
  }

  /** The open sessions, oldest first. */
  all(): readonly Session[] {
    return [...this.#byId.values()];
  }

  /** Opens a session, or continues the session of the query. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { searchParams: query } = new URL(request.url ?? '/', 'ws://eventsub');
    this.#server.handleUpgrade(request, socket, head, (client) => {
      const challenge = query.get('challenge') ?? undefined;
      const session = challenge === undefined ? undefined : this.#byId.get(query.get('id') ?? '');
      if (challenge === undefined) {
        const opened = new Session(this.#context, client, keepaliveMs(query.get('keepalive_timeout_seconds')));
        this.#byId.set(opened.id, opened);
      } else if (session?.resume(client, challenge) !== true) {
        client.on('error', () => client.terminate());
        closeSocket(client, 4007);
      }
    });
  }

  async close(): Promise<void> {
    for (const session of this.all()) session.drop();
    for (const client of this.#server.clients) client.terminate();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** Twitch takes the nearest allowed value. */
function keepaliveMs(requested: string | null): number {
  const seconds = Number(requested ?? LEAST_KEEPALIVE_SECONDS);
  const whole = Number.isFinite(seconds) ? Math.trunc(seconds) : LEAST_KEEPALIVE_SECONDS;
  return Math.min(MOST_KEEPALIVE_SECONDS, Math.max(LEAST_KEEPALIVE_SECONDS, whole)) * 1000;
}
