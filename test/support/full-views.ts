import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { withDeliveryMessage } from '#src/engine/delivery/reason.ts';
import type { SentPost } from '#src/engine/posting/posting.ts';
import { OUTCOMES } from '#src/rules/decision.ts';
import { withMessage } from '#src/rules/messages/format-reason.ts';
import type { Operations } from '#src/web/api/operations.ts';
import type { StatusView } from '#src/admin/queries/status-answer.ts';
import { DELIVERY_STATES } from '#src/engine/delivery/delivery.ts';
import { fakeLists, livingList } from './fake-lists.ts';
import { fakeStreaming } from './fake-streaming.ts';
import type { FakeApiQueries } from './fake-api-queries.ts';
import { decisionAbout, explanationOf } from './item-explanation.ts';
import { noOperations } from './operations.ts';
import { DECISION_REASONS, DELIVERY_REASONS } from './reasons.ts';
import { check } from './rule-language.ts';
import { storedDelivery } from './stored-delivery.ts';
import { decision, delivery, episode, message, minutesAgo, NOW, post, rule, ruleDetails, settledDecision, stream } from './view-records.ts';

const RULE = 'top';
const SERVER = '1202584131993600001';
const reasonsOf = DECISION_REASONS.map(withMessage);
const ABOUT = 'Meldet Streams von Schach.';

const diagnostic = {
  severity: 'error',
  code: 'unknown-key',
  file: 'rules/a.yaml',
  line: 4,
  column: 3,
  path: 'when',
  message: 'unknown key evry',
  hint: 'Did you mean every?',
  excerpt: '  evry: 10s',
} as const;

const fullRule = rule(RULE, {
  about: ABOUT,
  timing: { everyMs: 10_000 },
  paused: { at: NOW, by: 'grace', until: minutesAgo(-60) },
  plannedPauses: [{ by: 'grace', at: NOW, from: minutesAgo(-90), until: minutesAgo(-100) }],
  undelivered: { failed: 2, unknown: 1 },
  announcements: [0, 1, 0, 3, 0, 0, 2],
  lastUndelivered: 1,
  diagnostics: [diagnostic, { ...diagnostic, severity: 'warning' }],
  lastDecision: settledDecision({ rule: RULE, ...reasonsOf[0] }),
});

const account = { account: 'x', platform: 'x', sandbox: false, state: 'connected', isRefused: false } as const;

const NOTIFICATIONS = { state: 'connected', subscriptions: 3, cost: 3, maxCost: 3, onlyPolled: 1, lastAt: NOW } as const;

/** A status with everything that it can have. */
const STATUS: Partial<StatusView> = {
  readiness: { ready: false, message: 'Discord is not connected yet', reason: { kind: 'discordConnecting' } },
  accounts: [
    { ...account, state: 'failed', problem: 'the token is not valid', fault: 'unauthorized', isRefused: true },
    { ...account, account: 'news', platform: 'mastodon', state: 'failed', problem: 'HTTP 503', fault: 'unavailable', since: minutesAgo(9) },
    { ...account, account: 'main', platform: 'discord', state: 'connecting' },
    { ...account, account: 'twitch', platform: 'twitch', sandbox: true, notifications: NOTIFICATIONS },
  ],
  rules: { on: 3, paused: 1, broken: 2, version: { number: 7, publishedAt: minutesAgo(15), by: 'ci', note: '4f2c9ad', repeats: 5 } },
  brokenFiles: [{ file: 'rules/a.yaml', isRunning: true, diagnostics: [diagnostic] }],
  channelProblems: [{ ...diagnostic, severity: 'warning', message: '#live: the bot may not write there' }],
  nextRuns: [{ rule: RULE, at: minutesAgo(-2) }],
  rateLimits: [{ account: 'x', leftRatio: 0.25 }],
  pausedRules: [
    { rule: RULE, about: ABOUT, paused: { at: NOW, by: 'grace', until: minutesAgo(-60) } },
    { rule: 'loud', paused: { at: NOW, fuse: { firings: 30, perMs: 3_600_000 } } },
  ],
  questions: [{ delivery: 'q1', rule: RULE, account: 'x', name: 'Ada', text: 'Posten?', choices: ['Ja', 'Nein'], at: NOW }],
  live: [
    {
      key: 'twitch/7',
      name: 'Ada',
      url: 'https://twitch.test/ada',
      title: 'Turmendspiele',
      game: 'Chess',
      viewers: 12_345,
      startedAt: minutesAgo(95),
      announcements: [
        { delivery: 'd7', rule: RULE, do: 'discord.put', account: 'main', url: 'https://discord.test/7', at: minutesAgo(2), changes: 3 },
      ],
    },
  ],
  deliveries: { open: 1_234, asked: 70, sent: 5, failed: 60, unknown: 60 },
  delays: { count: 50, medianMs: 940, longestMs: 150_000 },
  budgets: [
    { account: 'x', spentUsd: 2, monthUsd: 10 },
    { account: 'news', spentUsd: 0.5 },
  ],
};

const PEOPLE = [
  { id: 'password:ada', name: 'Ada', kind: 'password', role: 'admin' },
  { id: 'password:bob', name: 'Bob', kind: 'password', role: 'viewer' },
  { id: 'discord:7', name: 'Eve', kind: 'discord', role: 'editor' },
] as const;

const RULES = [
  'id: watcher\nwhen: { every: 1m, people: team }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n',
  'id: reader\nwhen: { every: 1h }\nif: size(lists.team) > 0\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n',
].flatMap((source) => check(source, { lists: { team: null } }).rules);

const TEAM = livingList('team', { ada: { twitch: 'ada', name: 'Ada L' }, grace: { kick: 'grace' } });
const FILE = {
  ...livingList('partners', { alan: {} }),
  kind: 'file' as const,
  file: 'lists/partners.yaml',
  source: { watch: 'social.getUserFollowing', with: {}, account: 'news', problem: 'HTTP 503' },
  diagnostics: [diagnostic],
};

const BY = { name: 'bob', via: 'page' as const };
const failed = { fault: 'rejected', message: 'the text is too long' } as const;

/** The deliveries that the page `/deliveries/:id` shows. */
const STORED: Readonly<Record<string, Delivery>> = {
  failed: storedDelivery({
    id: 'failed',
    state: 'failed',
    error: failed,
    resends: [{ by: 'grace', atMs: NOW.getTime(), failure: 'too long' }],
  }),
  unknown: storedDelivery({
    id: 'unknown',

    state: 'unknown',
    lostAt: NOW,
    ...withDeliveryMessage({ kind: 'notSearchable', account: 'x' }),
    omitted: [{ parameter: 'files', index: 0, message: 'the file is too large' }],
  }),
};

/** A waiting post with everything that it can have. */
const WAITING: SentPost = {
  id: 'p1',
  server: SERVER,
  by: { id: '7', name: 'bob' },
  text: 'Ada ist live',
  hasPicture: true,
  madeAt: NOW,
  at: minutesAgo(-90),
  isQueued: true,
  edits: 1,
  editedBy: { id: '8', name: 'grace' },
  targets: [
    { account: 'x', state: 'pending' },
    { account: 'news', state: 'pending' },
  ],
};

/** A rule that knows Ada, with decisions of every kind. */
const ITEM_RULE = {
  id: RULE,
  verb: 'streaming.getTopStreams',
  on: true,
  isPaused: false,
  isNamed: false,
  isOpen: true,
  belowTake: { atMs: NOW.getTime(), place: 9, take: 5 },
  episodes: explanationOf('Ada').rules.flatMap(({ episodes }) => episodes),
  decisions: reasonsOf.map((one, index) => decisionAbout(index + 1, one)),
};

/** The operations of a server whose views have everything that they can show. */
export function fullOperations(): Operations {
  return {
    ...noOperations,
    queries: {
      ...noOperations.queries,
      revision: () => Promise.resolve('r1'),
      views: ([id]: readonly string[]) => Promise.resolve(id === RULE ? [fullRule] : []),
      details: (id: string) =>
        Promise.resolve(
          id === RULE
            ? ruleDetails(id, { watches: { operation: 'streaming.getTopStreams', accounts: ['twitch'], changes: ['entered', 'rose'] } })
            : undefined,
        ),
      explainItem: (name: string) =>
        Promise.resolve(
          name === 'Ada' ? explanationOf(name, { rules: [ITEM_RULE] }) : explanationOf(name, { keys: [], rules: [], gone: [] }),
        ),
    },
    findDelivery: (id) => Promise.resolve(STORED[id]),
    failedAttempts: () => Promise.resolve([{ atMs: NOW.getTime(), fault: 'rateLimited', message: 'slow down' }]),
    waitingPosts: () => Promise.resolve([WAITING, { ...WAITING, id: 'p2', text: '', server: '', isQueued: false, editedBy: undefined }]),
    servers: () => Promise.resolve([{ id: SERVER, name: 'Schachverein', roles: {}, joinedAt: minutesAgo(9) }]),
    lists: fakeLists(
      [TEAM, FILE, livingList('followed', { ada: {} }, SERVER)],
      [
        { id: 'c1', at: minutesAgo(5), by: BY, list: 'team', before: { ada: null, eve: {} }, after: { ada: {}, eve: null } },
        {
          id: 'c2',
          at: minutesAgo(4),
          by: BY,
          list: 'team',
          before: { ada: {} },
          after: { ada: { kick: 'ada' } },
          undoes: 'c1',
          undoneBy: 'c3',
        },
      ],
    ),
    loadedRules: { now: { rules: RULES }, isOn: ({ id }) => id !== 'reader' },
    streaming: fakeStreaming({ twitch: ['ada', 'Lin'], kick: ['lin'] }),
    accounts: () =>
      Promise.resolve([
        { account: 'x', platform: 'x', method: 'browser' },
        { account: 'news', platform: 'mastodon', method: 'password' },
        { account: 'main', platform: 'discord', method: 'credentials' },
        { account: 'twitch', platform: 'twitch', method: 'credentials' },
      ]),
    accountUsage: () =>
      Promise.resolve([
        { day: '2026-11-19', spentUsd: 0.25, leastLeftRatio: 0.4 },
        { day: '2026-11-20', spentUsd: 0.5, leastLeftRatio: 0.1 },
      ]),
    checks: () =>
      Promise.resolve([
        { about: 'Node', state: 'good', what: 'v24.0.0' },
        { about: 'the key', state: 'good', what: 'FANFARE_KEY is set', reason: { kind: 'keyInEnvironment' } },
        {
          about: 'rules',
          state: 'bad',
          what: 'the rule files have 2 errors',
          remedy: 'print them: npx fanfare check',
          reason: { kind: 'ruleErrors', count: 2 },
        },
        { about: 'x', state: 'bad', what: 'the access was revoked', remedy: 'Run: fanfare auth x' },
      ]),
    people: () => Promise.resolve(PEOPLE),
    tokens: () =>
      Promise.resolve([
        { id: 't1', name: 'ci', scope: 'write', by: 'Ada', createdAt: minutesAgo(9), lastUsedAt: minutesAgo(1), expiresAt: minutesAgo(-9) },
        { id: 't0', name: 'ci2', scope: 'read', by: 'Ada', createdAt: minutesAgo(9), revokedAt: minutesAgo(1) },
      ]),
    auditLog: {
      list: () =>
        Promise.resolve({
          items: (['done', 'unchanged', 'refused', 'failed', 'started'] as const).map((outcome) => ({
            id: outcome,
            at: NOW,
            action: 'pauseRule',
            by: { ...BY, origin: '192.0.2.1' },
            target: RULE,
            outcome,
            before: { top: null },
            after: { problem: 'The rule is off.' },
          })),
        }),
    },
  };
}

/** Gives the views and the demonstration everything that they can show. */
export function fillViews(apiQueries: FakeApiQueries): void {
  const embed = { author: { name: 'Ada' }, title: 'Turmendspiele', fields: [{ name: 'Spiel', value: 'Chess' }], footer: 'Fanfare' };
  apiQueries.streams = [stream('s1', { title: 'Turmendspiele' })];
  apiQueries.timeline = [post('p1', { text: 'Ada ist live', editedAt: NOW })];
  apiQueries.channelMessages = [
    message('m1', {
      content: 'Ada ist live',
      embeds: [embed],
      files: [{ name: 'bild.png', url: 'https://example.test/bild.png' }],
      buttons: ['Ja'],
      reactions: [{ emoji: '🎉', count: 2 }],
      thread: { platform: 'discord', id: '7', name: 'Faden' },
      editedAt: NOW,
    }),
  ];
  apiQueries.statusChanges = STATUS;
  apiQueries.ruleList = [fullRule, rule('loud', { about: ABOUT, lastDecision: undefined }), rule('off', { about: ABOUT, on: false })];
  apiQueries.decisionList = reasonsOf.map((one, index) =>
    decision({ rule: RULE, item: 'twitch/7', outcome: OUTCOMES[index % OUTCOMES.length] ?? 'fired', at: minutesAgo(index), ...one }),
  );
  apiQueries.episodeList = [
    episode('7', { phase: 'pending', openedMs: undefined, announced: false }),
    episode('7', { announced: false, suppressedBy: { kind: 'alreadyInList' } }),
    episode('7', { phase: 'closing', missingSinceMs: NOW.getTime() - 60_000 }),
    episode('7', { phase: 'closed', missingSinceMs: NOW.getTime() - 60_000, closedMs: NOW.getTime() }),
    episode('7', { announced: false }),
  ];
  const item = { key: 'twitch/1202584', name: 'Ada' };
  apiQueries.deliveryList = [
    ...DELIVERY_REASONS.map((why, index) =>
      delivery(`d${index}`, {
        rule: RULE,
        item,
        text: 'Ada ist live',
        attempts: 3,
        state: DELIVERY_STATES[index % DELIVERY_STATES.length] ?? 'sent',
        ...withDeliveryMessage(why),
      }),
    ),
    delivery('failed', { rule: RULE, item, state: 'failed', ...failed }),
    delivery('person', { rule: 'post', by: 'grace', state: 'pending', dueAt: minutesAgo(-9) }),
  ];
}

/** The addresses of all views, with and without data, by the path of the view. */
export const FULL_ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  '/overview': ['/overview'],
  '/why': ['/why', '/why?q=Ada', '/why?q=zzz'],
  '/deliveries': ['/deliveries', '/deliveries?state=failed', '/deliveries?text=zzz'],
  '/deliveries/:delivery': ['/deliveries/failed', '/deliveries/unknown'],
  '/posts': ['/posts', '/posts?from=20'],
  '/rules': ['/rules', '/rules?text=zzz'],
  '/rules/:rule': ['/rules/top', '/rules/top?text=zzz'],
  '/lists': ['/lists'],
  '/lists/:list': ['/lists/team', '/lists/team?add=lin+ada+zzz', '/lists/partners', `/lists/followed?server=${SERVER}`],
  '/accounts': ['/accounts', '/accounts?check=yes'],
  '/settings': ['/settings'],
  '/audit': ['/audit', '/audit?target=zzz'],
  '/sandbox': ['/sandbox', '/sandbox?q=zzz'],
  '/sandbox/discord': ['/sandbox/discord', '/sandbox/discord?as=linus&channel=moderators'],
};
