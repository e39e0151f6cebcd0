import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { SandboxContext } from '../context.ts';
import type { SocialCore } from '../social/core.ts';
import { alreadySent } from '../gate.ts';
import { SELF } from '../social/people.ts';
import { createDifferences, type Differences, type Versioned } from '../social/push/differences.ts';
import { type DeliverWithFaults, faultyDelivery } from '../notifications/faulty-delivery.ts';
import type { StoredPost } from '../social/posts.ts';
import type { Caller } from './authorization.ts';
import { selectionOf } from './fields.ts';
import { credentials, postId, postIndex, snowflake } from './ids.ts';
import type { XMedia } from './media.ts';
import { creditsDepleted, invalid, tooManyStreams, unsupportedAuthentication, XProblem } from './problem.ts';
import { matches, parseQuery, type Query } from './query.ts';
import type { Settings } from './settings.ts';

/** How often generated posts are looked for. Written ones are sent at once. */
const LOOK_MS = 1_000;
const HEARTBEAT_MS = 20_000;
const LONGEST_RULE = 1_024;
const FOREIGN_RULE = { id: '1', tag: 'another installation' };

const Change = z.union([
  z.strictObject({ add: z.array(z.strictObject({ value: z.string().min(1).max(LONGEST_RULE), tag: z.string().optional() })).min(1) }),
  z.strictObject({ delete: z.strictObject({ ids: z.array(z.string()).min(1) }) }),
]);

interface Rule {
  readonly id: string;
  readonly value: string;
  readonly tag?: string | undefined;
  readonly query: Query;
}

interface Item extends Versioned {
  readonly post: StoredPost;
}

export interface FilteredStreamOptions {
  readonly context: Pick<SandboxContext, 'clock' | 'faults'>;
  readonly core: SocialCore;
  readonly media: XMedia;
  readonly settings: Settings;
  readonly callerOf: (c: Context) => Promise<Caller>;
}

/** The filtered stream: rules of the app, and one connection that gets each new post that a rule matches. */
export class FilteredStream {
  readonly #options: FilteredStreamOptions;
  readonly #over = new AbortController();
  readonly #deliver: DeliverWithFaults;
  readonly #clients = new Set<ServerResponse>();
  #rules: readonly Rule[] = [];
  #made = 0;
  #isSilent = false;
  #compare: ((now: readonly Item[]) => Differences<Item>) | undefined;

  constructor(options: FilteredStreamOptions) {
    this.#options = options;
    this.#deliver = faultyDelivery({ platform: 'x', ...options.context, signal: this.#over.signal });
  }

  /** The endpoints below `/2/tweets/search/stream`. */
  routes(): Hono<{ Bindings: HttpBindings }> {
    const routes = new Hono<{ Bindings: HttpBindings }>();
    routes.onError((error) => {
      if (!(error instanceof XProblem)) throw error;
      return Response.json(error.body, { status: error.status });
    });
    routes.use(async (c, next) => {
      const { kind } = await this.#options.callerOf(c);
      if (kind !== 'app') throw unsupportedAuthentication(kind, ['OAuth 2.0 Application-Only']);
      if (this.#options.settings.creditsDepleted) throw creditsDepleted(credentials.accountNumber);
      await next();
    });
    routes.get('/rules', (c) => c.json(this.#listing(this.#rules)));
    routes.post('/rules', async (c) => this.#change(await c.req.json<unknown>()));
    routes.get('/', (c) => {
      if (this.#clients.size > 0) throw tooManyStreams();
      this.#open(c.env.outgoing as ServerResponse); // the sandbox serves HTTP 1.1
      return alreadySent();
    });
    return routes;
  }

  /** Sends the posts that are new since the last call. */
  look(): void {
    for (const { post } of this.#compare?.(this.#items()).added ?? []) this.#announce(post);
  }

  describe(): JsonObject {
    return { connections: this.#clients.size, rules: this.#rules.map(({ value, tag = null }) => ({ value, tag })) };
  }

  disconnect(): number {
    const { size } = this.#clients;
    for (const client of this.#clients) client.destroy();
    return size;
  }

  close(): Promise<void> {
    this.#over.abort();
    this.disconnect();
    return Promise.resolve();
  }

  #items(): readonly Item[] {
    return this.#options.core
      .snapshotFor()
      .feed.timeline()
      .map((post) => ({ id: post.id, version: '', post }));
  }

  #listing(rules: readonly Rule[]): JsonObject {
    return {
      data: rules.map(({ id, value, tag }) => ({ id, value, ...(tag !== undefined && { tag }) })),
      meta: { result_count: rules.length },
    };
  }

  #change(body: unknown): Response {
    const change = Change.safeParse(body);
    if (!change.success) throw invalid({ message: 'The rules are not well formed.' });
    if ('delete' in change.data) {
      const { ids } = change.data.delete;
      this.#rules = this.#rules.filter(({ id }) => !ids.includes(id));
      return Response.json({ meta: { summary: { deleted: ids.length } } });
    }
    const { add } = change.data;
    const { mostStreamRules } = this.#options.settings;
    if (this.#rules.length + add.length > mostStreamRules) throw invalid({ message: `Rules must be fewer than ${mostStreamRules + 1}.` });
    const added = add.flatMap(({ value, tag }): readonly Rule[] => {
      if (this.#rules.some((rule) => rule.value === value)) return [];
      this.#made += 1;
      const rule = { id: snowflake(this.#options.context.clock.nowMs(), this.#made), value, tag, query: parseQuery(value) };
      this.#rules = [...this.#rules, rule];
      return [rule];
    });
    const known = add.filter(({ value }) => !added.some((rule) => rule.value === value));
    const errors = known.map(({ value }) => ({
      value,
      title: 'DuplicateRule',
      type: 'https://api.twitter.com/2/problems/duplicate-rules',
    }));
    const listing = added.length > 0 ? this.#listing(added) : {};
    return Response.json({ ...listing, ...(errors.length > 0 && { errors }) }, { status: 201 });
  }

  #open(client: ServerResponse): void {
    client.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    client.flushHeaders();
    const ended = new AbortController();
    client.on('close', () => {
      this.#clients.delete(client);
      ended.abort();
    });
    this.#isSilent = false;
    this.#compare = createDifferences(this.#items());
    this.#clients.add(client);
    const signal = AbortSignal.any([this.#over.signal, ended.signal]);
    // Generated posts appear without a request.
    void this.#repeat(LOOK_MS, signal, () => this.look());
    void this.#repeat(HEARTBEAT_MS, signal, () => this.#write(''));
  }

  #announce(post: StoredPost): void {
    const { core, media, settings } = this.#options;
    const request = core.startRequest({ method: 'GET', path: '/2/tweets/search/stream' }, SELF);
    const snapshot = core.snapshotFor();
    const selection = selectionOf(new URLSearchParams(), undefined, settings);
    const view = { ...request, snapshot, viewer: undefined, xMedia: media, findPost: postIndex(snapshot.feed), selection };
    const matching = this.#rules.filter(({ query }) => matches(post, query, view));
    if (matching.length === 0) return;
    settings.postsRead += 1;
    const data = { id: postId(post), text: post.text };
    const send = (rules: readonly Pick<Rule, 'id' | 'tag'>[]): void =>
      this.#write(JSON.stringify({ data, matching_rules: rules.map(({ id, tag }) => ({ id, tag })) }));
    this.#deliver({
      path: `/x/2/tweets/search/stream/${post.authorId}`,
      send: () => send(matching),
      sendForeign: () => send([FOREIGN_RULE]),
      sendForged: () => this.#write('{"data":{"id":"'),
    });
  }

  #write(line: string): void {
    const { faults } = this.#options.context;
    this.#isSilent ||= faults.take('silentSocket', { platform: 'x', method: 'GET', path: '/x/2/tweets/search/stream' }) !== undefined;
    if (!this.#isSilent) for (const client of this.#clients) client.write(`${line}\r\n`);
  }

  async #repeat(everyMs: number, signal: AbortSignal, action: () => void): Promise<void> {
    for (;;) {
      await this.#options.context.clock.sleep(everyMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      action();
    }
  }
}
