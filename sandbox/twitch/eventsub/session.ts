import { randomBytes, randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { eventInstant, type Status } from './subscription.ts';

/** The close codes of EventSub with their reasons, and the status of the subscriptions of a connection that is closed with them. */
const CLOSINGS = {
  4000: ['internal server error', 'websocket_internal_error'],
  4001: ['sent inbound traffic', 'websocket_received_inbound_traffic'],
  4002: ['failed ping pong', 'websocket_failed_ping_pong'],
  4003: ['connection unused', 'websocket_connection_unused'],
  4004: ['client reconnect grace time expired', 'websocket_failed_to_reconnect'],
  4005: ['network timeout', 'websocket_network_timeout'],
  4006: ['network error', 'websocket_network_error'],
  4007: ['invalid reconnect attempt', 'websocket_disconnected'],
} as const satisfies Readonly<Record<number, readonly [reason: string, status: Status]>>;
/** A code with which the server closes a connection. */
export type CloseCode = keyof typeof CLOSINGS;

/** The time to subscribe or to bind a shard. */
const UNUSED_MS = 10_000;
/** The time between two pings, in real time, because clients answer in real time. */
const PING_MS = 10_000;
const RECONNECT_MS = 30_000;

/** A message of the server. */
export interface EventSubMessage {
  readonly id: string;
  readonly type: 'session_welcome' | 'session_keepalive' | 'session_reconnect' | 'notification' | 'revocation';
  /** The subscription of a notification or a revocation. */
  readonly subscription?: { readonly type: string; readonly version: string } | undefined;
  readonly payload: JsonObject;
}

/** What a session needs from its surroundings. */
export interface SessionContext {
  readonly clock: Clock;
  /** The real time. */
  readonly pingClock: Clock;
  /** The address of the WebSocket server. */
  readonly url: () => string;
  /** Whether a subscription or a shard uses the session. */
  readonly isUsed: (sessionId: string) => boolean;
  /** Whether the connection is to be silent from now on: it stays open, but the server sends nothing more. */
  readonly isSilenced: (sessionId: string) => boolean;
  /** Called once, after the session has ended. */
  readonly ended: (session: Session, status: Status) => void;
}

/** A session of the WebSocket server. A client that is told to reconnect continues its session on another connection. */
export class Session {
  readonly id = randomBytes(27).toString('base64url');
  readonly connectedAtMs: number;
  readonly keepaliveMs: number;
  readonly #context: SessionContext;
  readonly #over = new AbortController();
  #socket: WebSocket;
  #lastSentMs: number;
  #isSilent = false;
  #awaitsPong = false;
  /** The secret of the address to which the client was told to reconnect. */
  #challenge: string | undefined;

  constructor(context: SessionContext, socket: WebSocket, keepaliveMs: number) {
    this.#context = context;
    this.#socket = socket;
    this.keepaliveMs = keepaliveMs;
    this.connectedAtMs = context.clock.nowMs();
    this.#lastSentMs = this.connectedAtMs;
    this.#attach(socket);
    this.#welcome();
    this.#keepAlive();
    this.#ping();
    this.#after(context.clock, UNUSED_MS, () => {
      if (!context.isUsed(this.id)) this.close(4003);
    });
  }

  get isOpen(): boolean {
    return !this.#over.signal.aborted;
  }

  /** Whether the server has stopped to send. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Sends a message, unless the connection is silent. */
  send({ id, type, subscription, payload }: EventSubMessage): void {
    this.#isSilent ||= this.#context.isSilenced(this.id);
    if (this.#isSilent || !this.isOpen) return;
    const { clock } = this.#context;
    const metadata = {
      message_id: id,
      message_type: type,
      message_timestamp: eventInstant(clock.nowMs()),
      ...(subscription && { subscription_type: subscription.type, subscription_version: subscription.version }),
    };
    this.#lastSentMs = clock.nowMs();
    this.#socket.send(JSON.stringify({ metadata, payload }));
  }

  /** Tells the client to connect to another address. The old connection is closed after 30 seconds. */
  reconnect(): void {
    const challenge = randomUUID();
    const old = this.#socket;
    this.#challenge = challenge;
    const query = new URLSearchParams({ challenge, id: this.id });
    this.#sendSession('session_reconnect', {
      status: 'reconnecting',
      keepalive_timeout_seconds: null,
      reconnect_url: `${this.#context.url()}?${query.toString()}`,
    });
    this.#after(this.#context.clock, RECONNECT_MS, () => {
      if (this.#socket === old) this.close(4004);
      else closeSocket(old, 4004);
    });
  }

  /** Continues the session on another connection. Returns false for a wrong or a used secret. */
  resume(socket: WebSocket, challenge: string | undefined): boolean {
    if (!this.isOpen || this.#challenge === undefined || challenge !== this.#challenge) return false;
    this.#challenge = undefined;
    this.#socket = socket;
    this.#isSilent = false;
    this.#awaitsPong = false;
    this.#attach(socket);
    this.#welcome();
    return true;
  }

  /** Ends the session with a close code. */
  close(code: CloseCode): void {
    this.#end(CLOSINGS[code][1]);
    closeSocket(this.#socket, code);
  }

  /** Ends the session without a close frame, as a lost network does. */
  drop(): void {
    this.#end('websocket_network_error');
    this.#socket.terminate();
  }

  #attach(socket: WebSocket): void {
    socket.on('message', () => {
      if (this.#socket === socket) this.close(4001);
    });
    socket.on('pong', () => {
      if (this.#socket === socket) this.#awaitsPong = false;
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      if (this.#socket === socket) this.#end('websocket_disconnected');
    });
  }

  #welcome(): void {
    this.#sendSession('session_welcome', {
      status: 'connected',
      keepalive_timeout_seconds: this.keepaliveMs / 1000,
      reconnect_url: null,
      recovery_url: null,
    });
  }

  #sendSession(type: EventSubMessage['type'], fields: JsonObject): void {
    const session = { id: this.id, ...fields, connected_at: eventInstant(this.connectedAtMs) };
    this.send({ id: randomUUID(), type, payload: { session } });
  }

  /** Sends a keepalive whenever nothing was sent for the keepalive timeout. */
  #keepAlive(): void {
    const quietMs = this.#context.clock.nowMs() - this.#lastSentMs;
    this.#after(this.#context.clock, Math.max(0, this.keepaliveMs - quietMs), () => {
      if (this.#context.clock.nowMs() - this.#lastSentMs >= this.keepaliveMs) {
        this.send({ id: randomUUID(), type: 'session_keepalive', payload: {} });
        // A silent connection sends nothing, and its next keepalive is due after the timeout all the same.
        this.#lastSentMs = this.#context.clock.nowMs();
      }
      this.#keepAlive();
    });
  }

  #ping(): void {
    this.#after(this.#context.pingClock, PING_MS, () => {
      if (this.#awaitsPong) return this.close(4002);
      this.#awaitsPong = !this.#isSilent;
      if (!this.#isSilent) this.#socket.ping();
      return this.#ping();
    });
  }

  /** Calls `action` after a time, unless the session has ended. */
  #after(clock: Clock, ms: number, action: () => void): void {
    clock.sleep(ms, this.#over.signal).then(action, () => undefined);
  }

  #end(status: Status): void {
    if (!this.isOpen) return;
    this.#over.abort();
    this.#context.ended(this, status);
  }
}

/** Closes a connection that belongs to no session. */
export function closeSocket(socket: WebSocket, code: CloseCode): void {
  socket.close(code, CLOSINGS[code][0]);
}
