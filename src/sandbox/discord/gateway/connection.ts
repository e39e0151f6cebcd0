import type { WebSocket } from 'ws';
import type { Json } from '#src/operation/json.ts';

export const OPCODES = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presenceUpdate: 3,
  voiceStateUpdate: 4,
  resume: 6,
  reconnect: 7,
  requestGuildMembers: 8,
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
  disallowedIntents: 4014,
} as const;

/** One WebSocket of a client. */
export class Connection {
  readonly #socket: WebSocket;
  /** Open, but dead: it neither answers nor tells anything any more. */
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

  /** Ends it without a word. */
  drop(): void {
    this.#socket.terminate();
  }

  turnZombie(): void {
    this.#zombie = true;
  }
}
