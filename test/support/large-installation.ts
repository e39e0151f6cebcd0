import { pollingWith, type ExplainOptions } from '#src/app/explain.ts';
import { createOperatorQueries, type OperatorQueriesOptions } from '#src/admin/queries/operator-queries.ts';
import { createListQueries } from '#src/admin/queries/lists.ts';
import { usageOf } from '#src/admin/queries/usage-answer.ts';
import { createApiQueries, type ApiQueries, type ApiQueriesOptions } from '#src/admin/queries/api-queries.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { NO_LISTS } from '#src/rules/lists.ts';
import type { Store } from '#src/store/store.ts';
import type { Operations } from '#src/web/api/operations.ts';
import type { ManualClock } from './manual-clock.ts';
import { FIRST_MS, manyDeliveries } from './many-deliveries.ts';
import { noOperations } from './operations.ts';
import { makeRule, makeWatched } from './rules.ts';

const ENTRIES = 10_000;
const PEOPLE = 500;
const ACCOUNTS = 20;
const HOURS = 32 * 24;
const HOUR_MS = 3_600_000;
/** The beginning of the title of an episode, before its number. */
const TITLE = 'Playing something with friends, day ';

/** How much the installation has of what grows with its age. */
export interface LargeCounts {
  readonly rules: number;
  readonly deliveries: number;
  readonly episodes: number;
  readonly decisions: number;
  readonly actions: number;
}

export const LARGE: LargeCounts = {
  rules: 10_000,
  deliveries: Number(process.env['FANFARE_DELIVERIES'] ?? 1_000_000),
  episodes: Number(process.env['FANFARE_EPISODES'] ?? 300_000),
  decisions: Number(process.env['FANFARE_DECISIONS'] ?? 600_000),
  actions: Number(process.env['FANFARE_ACTIONS'] ?? 1_000_000),
};

/** The instant after the last delivery. */
export function endMs({ deliveries }: LargeCounts): number {
  return FIRST_MS + deliveries * 1000;
}

/** The rule `big` has half of the deliveries. Each tenth rule has a filter, so that a search by name reads its last poll. */
const rules = Array.from({ length: LARGE.rules }, (_, index) =>
  makeRule({
    id: index === 0 ? 'big' : `rule-${index}`,
    file: `rules/rule-${index}.yaml`,
    about: `Announces the streams of team ${index % 100}.`,
    enabled: index % 20 !== 0 || index === 0,
    watched: makeWatched({
      with: { users: [`user${index}`] },
      ...(index % 10 === 1 && { take: 5, definition: { query: `top ${index % 100}`, accounts: ['twitch'], where: '' } }),
    }),
  }),
);

const diagnostics = rules
  .filter((_, index) => index % 50 === 0)
  .map(({ file }): Diagnostic => ({
    severity: 'error',
    code: 'x',
    file,
    line: 1,
    column: 1,
    path: '',
    message: 'unknown key',
    excerpt: '',
  }));

/**
 * The SQL that writes a large installation in bulk, for both databases.
 *
 * `Streamer 17` has episodes of 30 rules, and nobody is called `Streamer x`. Two thirds of the episodes are over.
 */
export function largeInstallation(counts: LargeCounts): readonly string[] {
  const nowMs = endMs(counts);
  const ruleOf = ruleIn(counts);
  const streamer = streamersIn(counts);
  const item = `{"id":"' || n || '","title":"${TITLE}' || n || '","startedAt":"2026-11-20T18:00:00.000Z","viewerCount":1200,"language":"en","game":{"platform":"twitch","id":"509658","name":"Just Chatting"},"thumbnailUrl":"https://example.test/previews/live_user_' || n || '-1280x720.jpg","owner":{"platform":"twitch","id":"' || (n % ${streamer}) || '","url":"https://twitch.tv/streamer' || (n % ${streamer}) || '","handle":"streamer' || (n % ${streamer}) || '","displayName":"Streamer ' || (n % ${streamer}) || '"}}`;
  const body = `'{"id":"e' || n || '","key":"twitch/' || (n % ${streamer}) || '","phase":"closed","startedMs":' || (${nowMs} - n * 8000 - 4000) || ',"firstSeenMs":' || (${nowMs} - n * 8000 - 4000) || ',"openedMs":' || (${nowMs} - n * 8000 - 4000) || ',"closedMs":' || (${nowMs} - n * 8000) || ',"lastSeenMs":' || (${nowMs} - n * 8000) || ',"announcedBy":"entered","peak":{"viewerCount":1200},"values":{},"item":${item}}'`;
  const past = Math.floor((counts.episodes * 2) / 3);
  return [
    ...manyDeliveries(counts.deliveries),
    `${numbers(100_000)}
     insert into firing (id, rule, episode, section, at_ms, names)
     select 'g' || n, ${ruleOf('n')}, 'e', 'then', ${nowMs} - n * 6000, '{"steps":{}}' from number`,
    `${numbers(past)}
     insert into past_episode (rule, id, started_ms, closed_ms, body)
     select ${ruleOf('n')}, 'e' || n, ${nowMs} - n * 8000 - 4000, ${nowMs} - n * 8000, ${body} from number`,
    `${numbers(counts.episodes - past)}
     insert into episode (rule, id, body) select ${ruleOf('n')}, 'e' || n, ${body} from (select n + ${past} as n from number) as later`,
    `${numbers(counts.decisions)}
     insert into decision (rule, at_ms, outcome, item, message, reason)
     select ${ruleOf('n')}, ${nowMs} - (${counts.decisions} - n) * 10, case when n % 3 = 0 then 'suppressed' else 'unchanged' end,
       case when n % 3 = 0 then 'twitch/' || (n % ${streamer}) end, 'Streamer ' || (n % ${streamer}) || ' was not announced because of the cooldown.',
       case when n % 3 = 0 then '{"kind":"leftBeforeOpening","name":"Streamer ' || (n % ${streamer}) || '","seenMs":1}' else '{"kind":"nothingNew"}' end
     from number`,
    `${numbers(counts.rules)}
     insert into rule_state (rule, slot_ms, memory) select ${ruleOf('n')}, ${nowMs}, '{"firings":0,"firedMs":{}}' from number`,
    `insert into paused_rule (rule, person, at_ms) select 'rule-' || ((n + 1) * 7), 'ada', 1 from (${numbers(1000)} select n from number) as paused`,
    `${numbers(counts.actions)}
     insert into audit (id, at_ms, action, actor, via, actor_id, target, outcome, before, after)
     select 'a' || n, ${FIRST_MS} + n * 1000, case when n % 7 = 0 then 'resendDelivery' when n % 2 = 0 then 'pauseRule' else 'resumeRule' end, 'ada', 'page', 'p1',
       case when n % 7 = 0 then 'd' || n else 'rule-' || (n % ${counts.rules}) end, 'done', '{"paused":false}', '{"paused":true}' from number`,
    `insert into "list" (name, server, created_ms) values ('team', '', 1)`,
    `${numbers(ENTRIES)}
     insert into list_entry (list, server, id, fields)
     select 'team', '', 'person' || n, '{"name":"Person ' || n || '","twitch":"person' || n || '","mastodon":"person' || n || '@example.social","since":"2026"}' from number`,
    `${numbers(1000)}
     insert into list_change (id, at_ms, list, server, actor, via, before, after)
     select 'c' || n, ${FIRST_MS} + n * 1000, 'team', '', 'ada', 'page', '{"person' || n || '":null}', '{"person' || n || '":{"twitch":"person' || n || '"}}' from number`,
    `${numbers(ACCOUNTS * HOURS)}
     insert into account_usage (account, hour_ms, least_left_ppm, spent_micro_usd)
     select 'account' || (n % ${ACCOUNTS}), ${nowMs - (nowMs % HOUR_MS)} - (n / ${ACCOUNTS}) * ${HOUR_MS}, 500000, ${ACCOUNTS * HOURS} - n from number`,
    `${numbers(PEOPLE)}
     insert into person (id, name, kind, role, password_hash, created_ms) select 'p' || n, 'Person ' || n, 'password', 'viewer', 'x', 1 from number`,
  ];
}

/**
 * The SQL that writes the index of names, except for the names that a store indexes next.
 *
 * The titles of episodes differ, so they are written here. All other names are the same again after some episodes or decisions, so a store indexes only
 * so many of them.
 */
export function lastNames(counts: LargeCounts): readonly string[] {
  const ruleOf = ruleIn(counts);
  // Each third decision has a name.
  const period = leastCommonMultiple(leastCommonMultiple(counts.rules, streamersIn(counts)), 3);
  return [
    `${numbers(counts.episodes)}
     insert into item_name (name, rule, seen_ms) select lower('${TITLE}') || n, ${ruleOf('n')}, ${endMs(counts)} from number order by 1`,
    'delete from unindexed_episode',
    `${numbers(Math.min(period, counts.episodes))} insert into unindexed_episode (rule, id) select ${ruleOf('n')}, 'e' || n from number`,
    `insert into indexed_decision (seq) select max(seq) - ${Math.min(period, counts.decisions)} from decision`,
  ];
}

/** The rule of a number, in SQL. */
function ruleIn({ rules: count }: LargeCounts): (number: string) => string {
  return (number) => `case when ${number} % ${count} = 0 then 'big' else 'rule-' || (${number} % ${count}) end`;
}

/** The number of streamers. Each has 30 episodes. */
function streamersIn({ episodes }: LargeCounts): number {
  return Math.max(1, Math.floor(episodes / 30));
}

function leastCommonMultiple(a: number, b: number): number {
  let multiple = a;
  while (multiple % b !== 0) multiple += a;
  return multiple;
}

function numbers(most: number): string {
  return `with recursive number (n) as (select cast(0 as bigint) union all select n + 1 from number where n + 1 < ${most})`;
}

/** What the server shows of the installation, with the operations of its API. */
export function serveLarge(store: Store, clock: ManualClock): { readonly apiQueries: ApiQueries; readonly operations: Operations } {
  const registry = {
    now: { rules, diagnostics, inForce: new Map() },
    isOn: ({ enabled }: { readonly enabled: unknown }) => enabled === true,
    running: rules.filter(({ enabled }) => enabled === true),
  };
  const explained = {
    config: { accounts: [], defaults: {}, sandbox: 'none', senderSecrets: new Map(), budgets: {} },
    registry,
    store,
    listSource: { current: async () => NO_LISTS },
    live: async () => ({ coverage: { covers: () => false, operationOf: () => undefined }, waitOf: () => undefined }),
    clock,
  };
  const parts = {
    clients: { streaming: new Map(), social: new Map(), discord: new Map() },
    registry,
    scheduler: {
      plansOf: async (ids: readonly string[]) => new Map(ids.map((id) => [id, { nextMs: clock.nowMs() + 5000 }])),
    },
    eventBus: { subscribe: () => () => undefined },
    ready: () => ({ ready: true }),
    accounts: () => [],
    process: {
      database: () => ({}),
      measured: () => ({ fanfare_rate_limit_left_ratio: [] }),
      moneyBudgets: [],
      lastBackupMs: () => undefined,
    },
    signal: new AbortController().signal,
    ...store,
    clock,
  };
  // The views read no other part of the process.
  const apiQueries = createApiQueries(parts as unknown as ApiQueriesOptions);
  const polling = pollingWith(explained as unknown as ExplainOptions);
  const queries = createOperatorQueries({
    ...parts,
    polling,
    store,
    lists: () => Promise.resolve(NO_LISTS),
    servers: [],
    configuredAccounts: [],
  } as unknown as OperatorQueriesOptions);
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => ({
    account: `account${index}`,
    platform: 'mastodon',
    method: 'browser' as const,
  }));
  const operations: Operations = {
    ...noOperations,
    queries,
    lists: createListQueries({ lists: store.lists, folder: { read: async () => ({ lists: new Map(), diagnostics: [], revision: '' }) } }),
    loadedRules: registry,
    findDelivery: (id) => store.deliveries.find(id),
    failedAttempts: (id) => store.deliveryLog.failedAttempts(id),
    servers: () => store.servers.list(),
    accounts: () => Promise.resolve(accounts),
    accountUsage: (account) => usageOf(account, { usage: store.accountUsage, clock }),
    people: async () => (await store.openAccess()).people.list(),
    tokens: async () => (await store.openAccess()).apiTokens.list(),
    auditLog: store.auditLog,
    repeatedRequests: store.repeatedRequests,
  };
  return { apiQueries, operations };
}
