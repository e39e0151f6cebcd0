import { describe, expect, test } from 'vitest';
import { installationStatus, type StatusOptions } from '#src/admin/queries/installation-status.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { Outage } from '#src/engine/outages.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { LoggedEpisode } from '#src/rules/episode-log.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { processMetrics } from '../../support/process-metrics.ts';
import { makeRule } from '../../support/rules.ts';
import { storedDelivery } from '../../support/stored-delivery.ts';
import { minutesAgo, NOW } from '../../support/view-records.ts';

const NOW_MS = NOW.getTime();
const unused = (): never => expect.fail('the database was read');

interface Given extends Partial<Pick<StatusOptions, 'accounts' | 'ready' | 'process' | 'channelProblems' | 'notifiers'>> {
  readonly rules?: readonly Rule[];
  readonly diagnostics?: readonly Diagnostic[];
  readonly nextMs?: Readonly<Record<string, number>>;
  readonly paused?: Awaited<ReturnType<StatusOptions['ruleStates']['paused']>>;
  readonly outages?: readonly Outage[];
  readonly deliveries?: readonly Delivery[];
  readonly open?: readonly LoggedEpisode[];
  readonly closed?: readonly LoggedEpisode[];
  readonly lagsMs?: readonly number[];
}

function statusOf(given: Given = {}): ReturnType<typeof installationStatus> {
  const { rules = [], diagnostics = [], nextMs = {}, deliveries = [], lagsMs = [], open = [], closed = [], ...options } = given;
  const registry: Pick<StatusOptions['registry'], 'now' | 'running'> = {
    now: { rules, diagnostics, asBefore: new Set() } as unknown as StatusOptions['registry']['now'], // what the status reads
    running: rules,
  };
  const log: Partial<StatusOptions['deliveryLog']> = {
    undelivered: () =>
      Promise.resolve([
        { rule: 'a', state: 'failed', count: 2 },
        { rule: 'a', state: 'unknown', count: 1 },
      ]),
    counts: () =>
      Promise.resolve([
        { state: 'pending', count: 3 },
        { state: 'asked', count: 1 },
        { state: 'sent', count: 40 },
        { state: 'failed', count: 7 },
      ]),
    lagsMs: () => Promise.resolve(lagsMs),
    latest: ({ states }) =>
      Promise.resolve(
        deliveries
          .filter(({ state }) => states.includes(state))
          .map((delivery) => ({ delivery, times: delivery.do === 'discord.edit' ? 40 : 1 })),
      ),
    list: ({ state } = {}) => Promise.resolve({ items: deliveries.filter((one) => one.state === state) }),
  };
  return installationStatus({
    accounts: () => [],
    ready: () => ({ ready: true }),
    process: processMetrics,
    clock: new ManualClock(NOW_MS),
    ...options,
    registry: registry as StatusOptions['registry'], // what the status reads
    deliveryLog: log as StatusOptions['deliveryLog'], // as above
    scheduler: { plansOf: async (rules) => new Map(rules.map((rule) => [rule, { nextMs: nextMs[rule] }])) },
    ruleStates: { paused: () => Promise.resolve(given.paused ?? new Map()), planned: () => Promise.resolve(new Map()) },
    outages: { all: () => Promise.resolve(given.outages ?? []) },
    episodes: {
      open: (asked) => Promise.resolve(open.filter(({ rule, id }) => asked.some((one) => one.rule === rule && one.id === id))),
      items: (asked) =>
        Promise.resolve([...open, ...closed].filter(({ rule, id }) => asked.some((one) => one.rule === rule && one.id === id))),
    },
  });
}

function problem(file: string, changes: Partial<Diagnostic> = {}): Diagnostic {
  return { severity: 'error', code: 'x', file, line: 1, column: 1, path: '', message: 'wrong', excerpt: '', ...changes };
}

function streamEpisode(changes: Partial<LoggedEpisode> = {}): LoggedEpisode {
  return {
    id: 'e1',
    rule: 'live-card',
    key: 'twitch/7',
    item: {
      viewerCount: 12_345,
      startedAt: minutesAgo(20).toISOString(),
      owner: { displayName: 'Ada', avatarUrl: 'https://cdn.test/ada.png' },
      title: 'Ranked',
      game: { name: 'Chess' },
      url: 'https://twitch.test/ada',
    },
    startedMs: minutesAgo(20).getTime(),
    openedMs: minutesAgo(19).getTime(),
    lengthMs: 1_000,
    peak: {},
    phase: 'open',
    announced: true,
    ...changes,
  };
}

function about(episode: string, changes: Partial<Delivery> = {}): Delivery {
  return storedDelivery({
    rule: 'live-card',
    episode,
    state: 'sent',
    item: { key: 'twitch/7', name: 'Ada' },
    sentAt: minutesAgo(19),
    ...changes,
  });
}

describe('the status of an installation', () => {
  test('has the numbers of rules, deliveries, delays and budgets', async () => {
    const rules = [makeRule({ id: 'a', file: 'rules/a.yaml' }), makeRule({ id: 'b', file: 'rules/b.yaml' })];
    const paused = new Map([
      ['b', { person: { by: 'ada', atMs: NOW_MS } }],
      ['deleted', { person: { by: 'ada', atMs: NOW_MS } }],
    ]);

    const status = await statusOf({ rules, paused, diagnostics: [problem('rules/c.yaml')], lagsMs: [900, 100, 5_000] });

    expect(status).toMatchObject({
      at: NOW,
      rules: { on: 2, paused: 1, broken: 1 },
      deliveries: { open: 4, asked: 1, sent: 40, failed: 2, unknown: 1 },
      delays: { count: 3, medianMs: 900, longestMs: 5_000 },
      budgets: [{ account: 'x', spentUsd: 2, monthUsd: 10 }],
      rateLimits: [{ account: 'x', leftRatio: 0.25 }],
    });
    expect((await statusOf()).delays).toBeUndefined();
  });

  test('has the time of the newest failure of any age', async () => {
    const failed = storedDelivery({ state: 'failed', settledAt: new Date(NOW_MS - 3 * 86_400_000) });

    expect((await statusOf({ deliveries: [failed] })).deliveries?.lastFailedAt).toEqual(failed.settledAt);
    expect((await statusOf()).deliveries).not.toHaveProperty('lastFailedAt');
  });

  test('has the next runs of rules that are not paused, earliest first, at most ten', async () => {
    const rules = Array.from({ length: 14 }, (_, index) => makeRule({ id: `r${index}` }));
    const nextMs = Object.fromEntries(rules.slice(0, 13).map(({ id }, index) => [id, NOW_MS + 1_000 * (13 - index)]));
    const paused = new Map([['r12', { person: { by: 'ada', atMs: NOW_MS } }]]);

    const { nextRuns = [] } = await statusOf({ rules, nextMs, paused });

    expect(nextRuns.map(({ rule }) => rule)).toEqual(['r11', 'r10', 'r9', 'r8', 'r7', 'r6', 'r5', 'r4', 'r3', 'r2']);
    expect(nextRuns[0]?.at).toEqual(new Date(NOW_MS + 2_000));
  });

  test('has paused rules, newest first, with what paused them', async () => {
    const rules = ['a', 'b', 'c'].map((id) => makeRule({ id, about: `about ${id}` }));
    const paused = new Map([
      ['a', { person: { by: 'ada', atMs: NOW_MS - 5_000, untilMs: NOW_MS + 1 } }],
      ['c', { blownMs: NOW_MS - 1_000 }],
    ]);

    const { pausedRules } = await statusOf({ rules, paused });

    expect(pausedRules).toMatchObject([
      { rule: 'c', paused: { at: new Date(NOW_MS - 1_000) } },
      { rule: 'a', about: 'about a', paused: { by: 'ada', until: new Date(NOW_MS + 1) } },
    ]);
    expect(pausedRules?.[0]?.paused.by).toBeUndefined();
  });

  test('has files with errors, and says whether their last version runs', async () => {
    const rules = [makeRule({ id: 'a', file: 'rules/a.yaml' })];
    const many = Array.from({ length: 5 }, (_, index) => problem('rules/a.yaml', { line: index + 1 }));

    const { brokenFiles } = await statusOf({
      rules,
      diagnostics: [...many, problem('rules/b.yaml'), problem('rules/c.yaml', { severity: 'warning' })],
    });

    expect(brokenFiles.map(({ file, isRunning, diagnostics }) => [file, isRunning, diagnostics.length])).toEqual([
      ['rules/a.yaml', true, 3],
      ['rules/b.yaml', false, 1],
    ]);
  });

  test('has each problem of a channel once', async () => {
    const rules = ['a', 'b', 'c'].map((id) => makeRule({ id }));
    const channelProblems = ({ id, file }: Rule) => (id === 'c' ? [] : [problem(file, { message: '#live is missing' })]);

    expect((await statusOf({ rules, channelProblems })).channelProblems).toEqual([
      problem(rules[0]?.file ?? '', { message: '#live is missing' }),
    ]);
  });

  test('has one problem of a channel more than the page shows, so that the page can name the others', async () => {
    const rules = Array.from({ length: 30 }, (_, index) => makeRule({ id: `r${index}` }));
    const channelProblems = ({ id, file }: Rule) => [problem(file, { message: `#${id} is missing` })];

    expect((await statusOf({ rules, channelProblems })).channelProblems).toHaveLength(11);
  });

  test('tells accounts that a person must correct from outages, with the begin of each', async () => {
    const account = { platform: 'x', role: 'social', sandbox: false, state: 'failed', problem: 'x: no' } as const;
    const outage = { account: 'down', fault: 'unavailable', problem: 'x: no', seenMs: NOW_MS } as const;

    const { accounts } = await statusOf({
      accounts: () => [
        { ...account, name: 'fine', state: 'connected', problem: undefined },
        { ...account, name: 'refused', fault: 'unauthorized' },
        { ...account, name: 'down', fault: 'unavailable' },
      ],
      outages: [
        { ...outage, access: 'write', sinceMs: NOW_MS - 1_000 },
        { ...outage, access: 'read', sinceMs: NOW_MS - 9_000 },
        { ...outage, account: 'fine', access: 'read', sinceMs: NOW_MS - 9_000 },
      ],
    });

    expect(accounts.map((one) => [one.account, one.isRefused, one.since])).toEqual([
      ['fine', false, undefined],
      ['refused', true, undefined],
      ['down', false, new Date(NOW_MS - 9_000)],
    ]);
  });

  test('shows whether a platform notifies about changes', async () => {
    const account = { platform: 'twitch', role: 'streaming', sandbox: false, state: 'connected' } as const;
    const connected = { state: 'connected', subscriptions: 6, cost: 6, maxCost: 10_000, onlyPolled: 0 } as const;
    const reports = new Map([['twitch', { ...connected, notifiedAt: minutesAgo(3) }]]);

    const { accounts } = await statusOf({
      accounts: () => [
        { ...account, name: 'twitch' },
        { ...account, name: 'other' },
      ],
      notifiers: { reports: () => Promise.resolve(reports) },
    });

    expect(accounts.map((one) => one.notifications)).toEqual([{ ...connected, lastAt: minutesAgo(3) }, undefined]);
  });

  test('has open questions with their choices', async () => {
    const asked = storedDelivery({
      id: 'q1',
      state: 'asked',
      do: 'discord.ask',
      params: { content: 'Post it?', choices: ['send', 'drop'] },
      result: { url: 'https://discord.test/1' },
    });

    expect((await statusOf({ deliveries: [asked] })).questions).toMatchObject([
      { delivery: 'q1', text: 'Post it?', choices: ['send', 'drop'], url: 'https://discord.test/1' },
    ]);
  });

  test('says which open questions are about a stream that is over', async () => {
    const asked = (id: string, episode: string): Delivery => about(episode, { id, rule: 'a', state: 'asked', do: 'discord.ask' });
    const episode = (id: string, item?: LoggedEpisode['item']): LoggedEpisode => streamEpisode({ rule: 'a', id, ...(item && { item }) });

    const { questions } = await statusOf({
      deliveries: [asked('q1', 'live'), asked('q2', 'over'), asked('q3', 'post'), asked('q4', 'unknown')],
      open: [episode('live')],
      closed: [episode('over'), episode('post', { text: 'a mention' })],
    });

    expect(questions?.filter(({ isOver }) => isOver).map(({ delivery }) => delivery)).toEqual(['q2']);
  });

  test('has a live stream once, with the announcements of all rules, newest first', async () => {
    const { live } = await statusOf({
      open: [streamEpisode(), streamEpisode({ rule: 'top', id: 'e9' })],
      deliveries: [
        about('e9', { id: 'd3', rule: 'top', sentAt: minutesAgo(1), do: 'social.createPost', result: { url: 'https://social.test/3' } }),
        about('e1', { id: 'd8', do: 'discord.edit', account: 'discord', sentAt: minutesAgo(2), result: { url: 'https://discord.test/2' } }),
        about('e1', {
          id: 'd2',
          do: 'discord.send',
          account: 'discord',
          sentAt: minutesAgo(18),
          result: { url: 'https://discord.test/2' },
        }),
        about('gone', { id: 'd1' }),
        about('e1', { id: 'd0', state: 'failed' }),
      ],
    });

    expect(live).toMatchObject([
      {
        key: 'twitch/7',
        name: 'Ada',
        picture: 'https://cdn.test/ada.png',
        title: 'Ranked',
        game: 'Chess',
        viewers: 12_345,
        url: 'https://twitch.test/ada',
        startedAt: minutesAgo(20),
        announcements: [
          { delivery: 'd3', rule: 'top', do: 'social.createPost', url: 'https://social.test/3', at: minutesAgo(1), changes: 0 },
          { delivery: 'd2', rule: 'live-card', do: 'discord.send', at: minutesAgo(2), changes: 40 },
        ],
      },
    ]);
  });

  test('leaves out items that are no streams', async () => {
    const post = streamEpisode({ item: { text: 'hello', author: { displayName: 'Ada' } } });

    expect((await statusOf({ open: [post], deliveries: [about('e1')] })).live).toEqual([]);
  });

  test('answers from memory while the database does not answer', async () => {
    const rules = [makeRule({ id: 'a' })];
    const options: Parameters<typeof installationStatus>[0] = {
      registry: { now: { rules, diagnostics: [] }, running: rules } as unknown as StatusOptions['registry'], // what the status reads
      scheduler: { plansOf: unused },
      deliveryLog: new Proxy({} as StatusOptions['deliveryLog'], { get: unused }),
      episodes: { open: unused, items: unused },
      outages: { all: unused },
      ruleStates: { paused: unused, planned: unused },
      accounts: () => [{ name: 'x', platform: 'x', role: 'social', sandbox: false, state: 'connected' }],
      ready: () => ({ ready: false, message: 'the database has not answered since 18:00' }),
      process: { ...processMetrics, database: () => ({ lostAtMs: NOW_MS - 1_000 }) },
      clock: new ManualClock(NOW_MS),
    };

    const status = await installationStatus(options);

    expect(status).toMatchObject({
      readiness: { ready: false },
      rules: { on: 1 },
      accounts: [{ account: 'x' }],
    });
    expect([status.deliveries, status.live, status.pausedRules, status.questions, status.budgets, status.nextRuns]).toEqual(
      Array(6).fill(undefined),
    );
  });
});
