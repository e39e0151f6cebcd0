import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { BOT_TOKEN } from '../identity.ts';
import { CLOSE_CODES, Connection, OPCODES, Session, type Shard } from './session.ts';
import { INTENTS, type GatewayEvent, type Intent } from './event.ts';
import { Identify, Payload, Presence, Resume } from './payload.ts';
import { SessionStarts, type ShardingLimits } from './session-starts.ts';

/** How long a session outlives its connection. */
const SESSION_LIFE_MS = 5 * 60_000;
/** A client that closes with one of these codes ends its session. */
const FINAL_CODES: readonly number[] = [1000, 1001];

/** The payloads that the gateway sends to clients. */
export interface GatewayContent {
  /** The ids of the guilds with the bot. */
  guildIds(): readonly string[];
  ready(session: Session): JsonObject;
  guild(id: string, session: Session): JsonObject;
}

interface GatewayOptions {
  readonly clock: Clock;
  readonly heartbeatMs: number;
  readonly content: GatewayContent;
  /** The recommended number of shards. */
  readonly shards: number;
}

/** The gateway: it sends the events of the guilds to clients over WebSockets. */
export class Gateway {
  readonly #clock: Clock;
  readonly #heartbeatMs: number;
  readonly #content: GatewayContent;
  readonly #starts: SessionStarts;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #connections = new Set<Connection>();
  readonly #sessions = new Map<string, Session>();
  /** The session of a connection that has identified or resumed. */
  readonly #sessionOf = new WeakMap<Connection, Session>();
  #disallowed = 0;
  #refusal: number | undefined;
  #answersResumes = true;
  #isTokenReset = false;

  constructor({ clock, heartbeatMs, content, shards }: GatewayOptions) {
    this.#clock = clock;
    this.#heartbeatMs = heartbeatMs;
    this.#content = content;
    this.#starts = new SessionStarts(clock, shards);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (client) => this.#connect(client));
  }

  /** Sends an event to all sessions with its intent and its guild. */
  dispatch(event: GatewayEvent): void {
    const sinceMs = this.#clock.nowMs() - SESSION_LIFE_MS;
    if (!this.#content.guildIds().includes(event.guildId)) return;
    for (const session of this.#sessions.values()) {
      if (session.detachedBefore(sinceMs)) this.#sessions.delete(session.id);
      else if (session.has(event.guildId) && (event.intent === undefined || session.hasIntent(event.intent))) session.dispatch(event);
    }
  }

  /** Sends a guild that the bot has joined. */
  announceGuild(guildId: string): void {
    for (const session of this.#sessions.values()) this.#sendGuild(guildId, session);
  }

  get connections(): readonly Connection[] {
    return [...this.#connections];
  }

  /** From now on, refuses clients that request one of these intents. */
  disallow(intents: readonly Intent[]): void {
    this.#disallowed = intents.reduce((bits, intent) => bits | INTENTS[intent], 0);
  }

  /** Whether the application may use an intent. */
  allows(intent: Intent): boolean {
    return (this.#disallowed & INTENTS[intent]) === 0;
  }

  /** From now on, closes connections that identify with this code. */
  refuse(code: number): void {
    this.#refusal = code;
  }

  /** As `session_start_limit` of Discord, and the recommended number of shards. */
  get sessionStarts() {
    return { shards: this.#starts.limits.shards, session_start_limit: this.#starts.toWire() };
  }

  /** Whether Discord reset the token, because clients identified too often. */
  get isTokenReset(): boolean {
    return this.#isTokenReset;
  }

  /** The shards of the connected sessions. */
  get connectedShards(): readonly Shard[] {
    const sessions = this.connections.map((connection) => this.#sessionOf.get(connection));
    return sessions.flatMap((session) => (session ? [session.shard] : []));
  }

  /** What the bot shows: the status of each connected session that set one. */
  get presences(): readonly Presence[] {
    const sessions = this.connections.map((connection) => this.#sessionOf.get(connection));
    return sessions.flatMap((session) => session?.presence ?? []);
  }

  /** From now on, recommends a number of shards and limits how often clients identify. A token that was reset works again. */
  limitSessionStarts(limits: ShardingLimits): void {
    this.#starts.limit(limits);
    this.#isTokenReset = false;
  }

  /** From now on, does not answer clients that resume. */
  ignoreResumes(): void {
    this.#answersResumes = false;
  }

  /** Sends "invalid session" to all clients. They start a new session, or resume. */
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

  #connect(socket: WebSocket): void {
    const connection = new Connection(socket);
    this.#connections.add(connection);
    socket.on('message', (data) => this.#receive(connection, Buffer.isBuffer(data) ? data.toString() : ''));
    socket.on('error', () => connection.drop());
    socket.on('close', (code) => this.#disconnect(connection, code));
    connection.send(OPCODES.hello, { heartbeat_interval: this.#heartbeatMs, _trace: [] });
  }

  #disconnect(connection: Connection, code: number): void {
    this.#connections.delete(connection);
    const session = this.#sessionOf.get(connection);
    if (session?.detach(connection, this.#clock.nowMs()) && FINAL_CODES.includes(code)) this.#sessions.delete(session.id);
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
      case OPCODES.presenceUpdate:
        return this.#present(connection, payload.d);
      default:
        return connection.close(CLOSE_CODES.unknownOpcode, 'Unknown opcode.');
    }
  }

  #identify(connection: Connection, d: unknown): void {
    const { data: form } = Identify.safeParse(d);
    if (!form) return connection.close(CLOSE_CODES.decodeError, 'Error while decoding payload.');
    if (this.#sessionOf.has(connection)) return connection.close(CLOSE_CODES.alreadyAuthenticated, 'Already authenticated.');
    if (!this.#accepts(form.token)) return connection.close(CLOSE_CODES.authenticationFailed, 'Authentication failed.');
    if (this.#refusal !== undefined) return connection.close(this.#refusal, 'as ordered');
    if (form.intents & this.#disallowed) return connection.close(CLOSE_CODES.disallowedIntents, 'Disallowed intent(s).');

    const [shard, shards] = form.shard;
    if (shard >= shards) return connection.close(CLOSE_CODES.invalidShard, 'Invalid shard.');
    switch (this.#starts.start(form.shard)) {
      case 'usedUp':
        return this.#resetToken();
      case 'tooSoon':
        return connection.send(OPCODES.invalidSession, false);
      case 'allowed':
    }
    const session = new Session({ id: randomUUID().replaceAll('-', ''), intents: form.intents, shard: form.shard });
    if (this.#content.guildIds().filter((id) => session.has(id)).length > this.#starts.limits.maxGuildsPerShard)
      return connection.close(CLOSE_CODES.shardingRequired, 'Sharding is required.');
    this.#sessions.set(session.id, session);
    this.#bind(connection, session);
    session.dispatch({ name: 'READY', data: this.#content.ready(session) });
    for (const guildId of this.#content.guildIds()) this.#sendGuild(guildId, session);
  }

  #present(connection: Connection, d: unknown): void {
    const session = this.#sessionOf.get(connection);
    if (!session) return connection.close(CLOSE_CODES.notAuthenticated, 'Not authenticated.');
    const { data: presence } = Presence.safeParse(d);
    if (!presence) return connection.close(CLOSE_CODES.decodeError, 'Error while decoding payload.');
    session.present(presence, this.#clock.nowMs());
  }

  #accepts(token: string): boolean {
    return token === BOT_TOKEN && !this.#isTokenReset;
  }

  /** Ends all sessions. The token does not work until an order sets the limits again. */
  #resetToken(): void {
    this.#isTokenReset = true;
    this.#sessions.clear();
    for (const connection of this.#connections) connection.close(CLOSE_CODES.authenticationFailed, 'Authentication failed.');
  }

  #sendGuild(guildId: string, session: Session): void {
    if (!session.has(guildId) || !session.hasIntent('Guilds')) return;
    session.dispatch({ name: 'GUILD_CREATE', data: this.#content.guild(guildId, session) });
  }

  #resume(connection: Connection, d: unknown): void {
    const { data: form } = Resume.safeParse(d);
    if (!form) return connection.close(CLOSE_CODES.decodeError, 'Error while decoding payload.');
    if (!this.#accepts(form.token)) return connection.close(CLOSE_CODES.authenticationFailed, 'Authentication failed.');

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
}
