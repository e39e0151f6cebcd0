import { postingOver } from '../../support/posting-over.ts';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { createAccessActions } from '#src/admin/access/access-actions.ts';
import { createActions } from '#src/admin/actions/actions.ts';
import type { RuleActionParts } from '#src/admin/actions/rule-actions.ts';
import type { VersionActionParts } from '#src/admin/actions/version-actions.ts';
import { readPauses } from '#src/admin/actions/pauses.ts';
import { ruleRevision } from '#src/admin/actions/rule-revision.ts';
import { usageOf } from '#src/admin/queries/usage-answer.ts';
import { explainItem } from '#src/admin/queries/explain-item.ts';
import { goneRules } from '#src/admin/queries/gone-rules.ts';
import { createListQueries } from '#src/admin/queries/lists.ts';
import { openListFolder } from '#src/engine/lists/list-folder.ts';
import { NO_LISTS } from '#src/rules/lists.ts';
import { silentLog } from '#src/log.ts';
import { openStore, type Store } from '#src/store/store.ts';
import type { Operations } from '#src/web/api/operations.ts';
import { startWeb } from '#src/web/web.ts';
import { FakeApiQueries } from '../../support/fake-api-queries.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { rulesOf } from '../../support/rule-language.ts';
import { NOW, rule as ruleView, ruleDetails as ruleDetailsView } from '../../support/view-records.ts';

const RULES = rulesOf(`id: games
each: { game: [Chess, Go] }
when: { every: 1m, watch: streaming.getGameStreams, with: { game: "\${{ each.game }}" } }
then: [{ do: discord.send, with: { channel: live, content: hello } }]
`);

/** An answer of the API. */
interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly json: unknown;
}

interface Post {
  readonly method?: 'PATCH' | 'DELETE';
  readonly body?: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OpenedApi {
  readonly url: string;
  readonly store: Store;
  readonly clock: ManualClock;
  readonly operations: Operations;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly post: (path: string, options?: Post) => Promise<Answer>;
}

interface OpenApiOptions {
  /** The store of another process. */
  readonly store?: Store;
  readonly run?: RuleActionParts['run'];
  readonly openPublisher?: VersionActionParts['openPublisher'];
  readonly actions?: Partial<Operations['actions']>;
  /** A pause is stored after this promise resolves. */
  readonly beforePause?: () => Promise<unknown>;
  readonly keepAnswer?: Operations['repeatedRequests']['answer'];
}

const EMPTY_REPLAY = {
  timezone: 'UTC',
  since: NOW,
  startsEmpty: [],
  paused: 0,
  missingNames: [],
  changedLists: [],
  pausedIsMinimum: false,
  answersFirst: false,
  failed: 0,
  events: [],
  edits: { expected: 0, actual: 0 },
} as const;

const nothing = () => Promise.reject(new Error('not part of this test'));

/** A server of the API over a real store, with two instances of one rule. */
export async function openApi({
  store: shared,
  openPublisher,
  run = nothing,
  actions,
  beforePause,
  keepAnswer,
}: OpenApiOptions = {}): Promise<OpenedApi> {
  const clock = new ManualClock(NOW);
  const store = shared ?? (await openStore({ clock }));
  if (!shared) onTestFinished(() => store[Symbol.asyncDispose]());
  const { deliveries, deliveryLog, ruleStates } = store;
  const posting = postingOver(store, clock);
  const all = createActions({
    ...store,
    posting,
    failureText: ({ text }, { by }) => Promise.resolve(`${by.name}: ${text}`),
    storedServers: store.servers,
    rules: () => RULES,
    isOn: () => true,
    run,
    test: () =>
      Promise.resolve({
        diagnostics: [],
        untested: [],
        simulatedAccounts: [],
        cases: [{ rule: 'games', passed: true, print: () => 'ok' }],
      }),
    preview: (rule) => Promise.resolve({ rule, scenarios: [{ kind: 'goesLive', name: 'Ada', steps: [] }] }),
    replay: (rules) => Promise.resolve({ views: rules.map((rule) => ({ ...EMPTY_REPLAY, rule })), diagnostics: [] }),
    fileLists: () => Promise.resolve(new Map()),
    findRule: () => undefined,
    isPost: () => false,
    openPublisher,
    openAccounts: () => Promise.reject(new Error('not part of this test')),
    openAccess: async () =>
      createAccessActions({
        ...store,
        access: await store.openAccess(),
        passwords: { hash: (text) => Promise.resolve(`hash of ${text.length}`) },
        clock,
      }),
    deliveryEngine: {
      answer: () => Promise.resolve(undefined),
      resolve: () => Promise.resolve(undefined),
      reopen: (...change) => deliveries.reopen(...change),
    },
    clock,
  });
  const named = (name: string) => RULES.filter((rule) => rule.id === name || rule.name === name);
  const operations: Operations = {
    actions: { ...all, pauseRule: async (...call) => (await beforePause?.(), all.pauseRule(...call)), ...actions },
    queries: {
      rules: () => Promise.resolve(RULES.map(({ id, name }) => ({ id, name, on: true, paused: false }))),
      explainItem: (name, limit) => explainItem(name, { rules: RULES, isOn: () => true, store, lists: NO_LISTS, limit }),
      broken: () => [],
      gone: () => goneRules(RULES, store),
      details: (id) => Promise.resolve(named(id).map(({ id: rule }) => ruleDetailsView(rule))[0]),
      views: (ids) => Promise.resolve(ids.flatMap((id) => named(id).map((rule) => ruleView(rule.id)))),
      async revision(name) {
        const rules = named(name);
        return rules.length === 0 ? undefined : ruleRevision(rules, await readPauses(ruleStates), () => true);
      },
    },
    lists: createListQueries({ lists: store.lists, folder: openListFolder('/nowhere') }),
    loadedRules: { now: { rules: RULES }, isOn: () => true },
    streaming: new Map(),
    findDelivery: (id) => deliveries.find(id),
    failedAttempts: (id) => deliveryLog.failedAttempts(id),
    servers: () => store.servers.list(),
    waitingPosts: () => posting.allWaiting(),
    versions: async () => (await store.ruleVersions?.list()) ?? [],
    checks: () => Promise.resolve([]),
    storedSchema: () => Promise.resolve({ database: 'SQLite', schema: 7 }),
    channelSignIn: () => Promise.resolve(undefined),
    accounts: () => Promise.resolve([]),
    accountUsage: (account) => usageOf(account, { usage: store.accountUsage, clock }),
    people: async () => (await store.openAccess()).people.list(),
    tokens: async () => (await store.openAccess()).apiTokens.list(),
    auditLog: store.auditLog,
    repeatedRequests: { ...store.repeatedRequests, ...(keepAnswer && { answer: keepAnswer }) },
  };
  const web = await startWeb({ host: '127.0.0.1', port: 0, apiQueries: new FakeApiQueries(), operations, clock, log: silentLog });
  onTestFinished(() => web[Symbol.asyncDispose]());

  async function ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, { body, headers = {} }: Post = {}): Promise<Answer> {
    const answer = await request(`${web.url}${path}`, {
      method,
      headers,
      body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
    });
    const text = await answer.body.text();
    const type = String(answer.headers['content-type']);
    const isJson = /^application\/(problem\+)?json/u.test(type) && text !== '';
    return { status: answer.statusCode, type, headers: answer.headers, body: text, json: isJson ? JSON.parse(text) : undefined };
  }

  return {
    url: web.url,
    store,
    clock,
    operations,
    get: (path, headers) => ask('GET', path, { headers: headers ?? {} }),
    post: (path, { method = 'POST' as const, body = {}, headers } = {}) =>
      ask(method, path, { body, headers: { 'content-type': 'application/json', ...headers } }),
  };
}
