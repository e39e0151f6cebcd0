import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/operation/json.ts';
import { BOT_TOKEN } from '../guild/identity.ts';
import { CLOSE_CODES, Connection, OPCODES, Session } from './session.ts';
import { INTENTS, type GatewayEvent, type Intent } from './event.ts';
import { Identify, Payload, RequestMembers, Resume } from './payload.ts';

/** How long a session outlives its connection. */
const SESSION_LIFE_MS = 5 * 60_000;
/** With these a client says that it will not come back. */
const FAREWELLS: readonly number[] = [1000, 1001];

/** The gateway: it sends the events of the guilds to clients. */
export interface GatewayContent {
  /** The ids of those that the bot is in. */
  guildIds(): readonly string[];
  ready(session: Session): JsonObject;
  guild(id: string, session: Session): JsonObject;
  /** Undefined: there is no such guild. */
  members(request: RequestMembers): JsonObject | undefined;
}

export interface GatewayOptions {
  readonly clock: Clock;
  readonly heartbeatMs: number;
  readonly content: GatewayContent;
}

/** The WebSocket side: who is connected, and what each of them was told. */
export class Gateway {
  readonly #clock: Clock;
  readonly #heartbeatMs: number;
  readonly #content: GatewayContent;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #connections = new Set<Connection>();
  readonly #sessions = new Map<string, Session>();
  /** By connection, once it has identified or resumed. */
  readonly #sessionOf = new WeakMap<Connection, Session>();
  #disallowed = 0;
  #refusal: number | undefined;
  #answersResumes = true;

  constructor({ clock, heartbeatMs, content }: GatewayOptions) {
    this.#clock = clock;
    this.#heartbeatMs = heartbeatMs;
    this.#content = content;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (client) => this.#welcome(client));
  }

  /** Tells every session that asked for it. */
  dispatch(event: GatewayEvent): void {
    const sinceMs = this.#clock.nowMs() - SESSION_LIFE_MS;
    if (!this.#content.guildIds().includes(event.guildId)) return;
    for (const session of this.#sessions.values()) {
      if (session.detachedBefore(sinceMs)) this.#sessions.delete(session.id);
      else if (session.has(event.guildId) && (event.intent === undefined || session.asksFor(event.intent))) session.dispatch(event);
    }
  }

  /** Tells of a guild that the bot came into. */
  welcome(guildId: string): void {
    for (const session of this.#sessions.values()) this.#introduce(guildId, session);
  }

  get connections(): readonly Connection[] {
    return [...this.#connections];
  }

  /** Refuses clients that request one of these intents from now on. */
  disallow(intents: readonly Intent[]): void {
    this.#disallowed = intents.reduce((bits, intent) => bits | INTENTS[intent], 0);
  }

  /** Refuses clients that identify from now on with this code. */
  refuse(code: number): void {
    this.#refusal = code;
  }

  /** Leaves whoever resumes from now on without an answer. */
  ignoreResumes(): void {
    this.#answersResumes = false;
  }

  /** Tells every client that its session is over, or that it has to resume it. */
  invalidateSessions({ resumable }: { readonly resumable: boolean }): void {
    if (!resumable) this.#sessions.clear();
    for (const connection of this.#connections) {
      if (!resumable) this.#sessionOf.delete(connection);
      connection.send(OPCODES.invalidSession, resumable);
    }
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.drop();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #welcome(socket: WebSocket): void {
    const connection = new Connection(socket);
    this.#connections.add(connection);
    socket.on('message', (data) => this.#receive(connection, Buffer.isBuffer(data) ? data.toString() : ''));
    socket.on('error', () => connection.drop());
    socket.on('close', (code) => this.#part(connection, code));
    connection.send(OPCODES.hello, { heartbeat_interval: this.#heartbeatMs, _trace: [] });
  }

  #part(connection: Connection, code: number): void {
    this.#connections.delete(connection);
    const session = this.#sessionOf.get(connection);
    if (session?.detach(connection, this.#clock.nowMs()) && FAREWELLS.includes(code)) this.#sessions.delete(session.id);
  }

  #receive(connection: Connection, text: string): void {
    if (connection.isZombie) return;
    const { data: payload } = Payload.safeParse(text);
    if (!payload) return connection.close(CLOSE_CODES.decodeError, 'Error while decoding payload.');

    switch (payload.op) {
      case OPCODES.heartbeat:
        return connection.send(OPCODES.heartbeatAck, null);
      case OPCODES.identify:
        return this.#identify(connection, payload.d);
      case OPCODES.resume:
        if (this.#answersResumes) this.#resume(connection, payload.d);
        return;
      case OPCODES.requestGuildMembers:
        return this.#listMembers(connection, payload.d);
      case OPCODES.presenceUpdate:
      case OPCODES.voiceStateUpdate:
        if (!this.#sessionOf.has(connection)) connection.close(CLOSE_CODES.notAuthenticated, 'Not authenticated.');
        return;
      default:
        return connection.close(CLOSE_CODES.unknownOpcode, 'Unknown opcode.');
    }
  }

  #identify(connection: Connection, d: unknown): void {
    const { data: form } = Identify.safeParse(d);
    if (!form) return connection.close(CLOSE_CODES.decodeError, 'Error while decoding payload.');
    if (this.#sessionOf.has(connection)) return connection.close(CLOSE_CODES.alreadyAuthenticated, 'Already authenticated.');
    if (form.token !== BOT_TOKEN) return connection.close(CLOSE_CODES.authenticationFailed, 'Authentication failed.');
    if (this.#refusal !== undefined) return connection.close(this.#refusal, 'as ordered');
    if (form.intents & this.#disallowed) return connection.close(CLOSE_CODES.disallowedIntents, 'Disallowed intent(s).');

    const [shard, shards] = form.shard;
    if (shard >= shards) return connection.close(CLOSE_CODES.invalidShard, 'Invalid shard.');
    const session = new Session({ id: randomUUID().replaceAll('-', ''), intents: form.intents, shard: form.shard });
    this.#sessions.set(session.id, session);
    this.#bind(connection, session);
    session.dispatch({ name: 'READY', data: this.#content.ready(session) });
    for (const guildId of this.#content.guildIds()) this.#introduce(guildId, session);
  }

  #introduce(guildId: string, session: Session): void {
    if (!session.has(guildId) || !session.asksFor('Guilds')) return;
    session.dispatch({ name: 'GUILD_CREATE', data: this.#content.guild(guildId, session) });
  }

  #resume(connection: Connection, d: unknown): void {
    const { data: form } = Resume.safeParse(d);
    if (!form) return connection.close(CLOSE_CODES.decodeError, 'Error while decoding payload.');
    if (form.token !== BOT_TOKEN) return connection.close(CLOSE_CODES.authenticationFailed, 'Authentication failed.');

    const session = this.#sessions.get(form.sessionId);
    const expired = session?.detachedBefore(this.#clock.nowMs() - SESSION_LIFE_MS) ?? true;
    if (!session || expired || !session.canReplay(form.seq)) return connection.send(OPCODES.invalidSession, false);
    if (form.seq > session.seq) return connection.close(CLOSE_CODES.invalidSeq, 'Invalid seq.');

    this.#bind(connection, session);
    session.replay(form.seq);
  }

  #bind(connection: Connection, session: Session): void {
    this.#sessionOf.set(connection, session);
    session.attach(connection);
  }

  #listMembers(connection: Connection, d: unknown): void {
    const session = this.#sessionOf.get(connection);
    if (!session) return connection.close(CLOSE_CODES.notAuthenticated, 'Not authenticated.');
    const { data: request } = RequestMembers.safeParse(d);
    if (!request) return connection.close(CLOSE_CODES.decodeError, 'Error while decoding payload.');
    const data = this.#content.members(request);
    if (data) session.dispatch({ name: 'GUILD_MEMBERS_CHUNK', data });
  }
}
