import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SCENARIOS } from '../../bench/capacity/format.ts';
import { xPostsPerDay } from '../../bench/capacity/limits.ts';
import {
  busiestChannelShare,
  coveredChannels,
  kickRequestsPerMinute,
  needsOf,
  notifiedRequestsPerMinute,
  twitchRequestsPerMinute,
  type Scenario,
} from '../../bench/capacity/model.ts';
import { firstLimits, serve, simulate } from '../../bench/capacity/simulate.ts';
import { pageTables } from '../../bench/capacity/write-page.ts';

const page = readFileSync('docs/operating/capacity.md', 'utf8');
const small: Scenario = {
  name: 'small',
  channels: 1_000,
  kickChannels: 0,
  rules: 100,
  intervalS: 60,
  servers: 1,
  postsPerDay: { discord: 0, bluesky: 0, mastodon: 0, x: 0 },
};
const [, , million = small] = SCENARIOS;

describe('the model', () => {
  test('polls a hundred channels with each request', () => {
    expect(twitchRequestsPerMinute({ ...small, channels: 100_000, rules: 1_000 })).toBe(1_000);
    expect(twitchRequestsPerMinute({ ...small, channels: 100_000, rules: 1_000, intervalS: 120 })).toBe(500);
  });

  test('polls at least once for each batch of rules', () => {
    expect(twitchRequestsPerMinute({ ...small, channels: 100, rules: 500 })).toBe(10);
  });

  test('polls fifty channels on Kick with each request, and none without channels there', () => {
    const mixed = { ...small, channels: 100_000, kickChannels: 40_000, rules: 1_000 };

    expect(kickRequestsPerMinute(mixed)).toBe(800);
    expect(twitchRequestsPerMinute(mixed)).toBe(600);
    expect(kickRequestsPerMinute(small)).toBe(0);
  });

  test('covers channels with notifications while the cost of all types of subscriptions allows it', () => {
    expect([100, 3_333, 4_000, 5_000, 100_000].map(coveredChannels)).toEqual([100, 3_333, 3_333, 3_333, 3_333]);
  });

  test('polls covered channels a tenth as often, and once for each event', () => {
    const quiet = { ...small, channels: 1_000, rules: 1 };
    const eventsAMinute = 2_000 / 1_440;

    expect(notifiedRequestsPerMinute(quiet)).toBeCloseTo(1 + 1.1 * eventsAMinute, 2);
    expect(notifiedRequestsPerMinute({ ...quiet, channels: 20_000 })).toBeCloseTo(
      200 * (1 - (0.9 * 3_333) / 20_000) + 1.1 * (6_666 / 1_440),
      2,
    );
    expect(notifiedRequestsPerMinute({ ...quiet, channels: 0 })).toBe(0);
  });

  test('sends all messages of one server to one channel, and a part of those of many servers', () => {
    expect([1, 2, 10_000].map(busiestChannelShare)).toEqual([1, 0.5, 0.01]);
  });

  test('knows the limits of the plans of X, and the price of a post with a link', () => {
    const posting = { ...small, postsPerDay: { ...small.postsPerDay, x: 10 } };
    const costOf = (scenario: Scenario): number | undefined => needsOf(scenario).find(({ what }) => what.startsWith('X, costs'))?.need;

    expect((['usage', 'pro', 'basic', 'free'] as const).map(xPostsPerDay)).toEqual([9_600, 9_600, 100, 17]);
    expect([costOf(posting), costOf({ ...posting, xPlan: 'pro' })]).toEqual([2, 0]);
  });

  test('has at least two workers, and no posts without posts', () => {
    const needs = new Map(needsOf(small).map(({ what, need }) => [what, need]));

    expect(needs.get('workers, processes')).toBe(2);
    expect(needs.get('X, costs of posts with links')).toBe(0);
    expect(needs.get('database, growth')).toBe(0);
  });
});

describe('a simulated queue', () => {
  const queue = { what: 'queue', rate: 2, longestWaitS: 10 };

  test('serves in the order of arrival', () => {
    const waits = serve({ ...queue, arrive: (second) => (second === 0 ? 10 : 0) }, 10);

    expect(waits).toEqual({ what: 'queue', use: 0.5, p50S: 5, p99S: 5, isReached: false });
  });

  test('is too slow if more arrives than it serves', () => {
    const { use, p50S, isReached } = serve({ ...queue, arrive: () => 3 }, 100);

    expect({ use, isReached }).toEqual({ use: 1, isReached: true });
    expect(p50S).toBeGreaterThan(20);
  });

  test('sends the units of a window at once, and the others in the next windows', () => {
    const windows = { ...queue, rate: 3 / 10, windowS: 10 };
    const at4 = (units: number) => serve({ ...windows, arrive: (second) => (second === 4 ? units : 0) }, 40);

    expect(at4(3)).toMatchObject({ use: 3 / 12, p99S: 0, isReached: false });
    expect(at4(4)).toMatchObject({ p99S: 6 });
    expect(at4(9)).toMatchObject({ use: 9 / 12, p99S: 16, isReached: true });
  });

  test('keeps nothing of a window for the next one', () => {
    const arrive = (second: number): number => (second === 15 ? 4 : 0);

    expect(serve({ ...queue, rate: 3 / 10, windowS: 10, arrive }, 40)).toMatchObject({ p99S: 5 });
  });

  test('has no waits without arrivals', () => {
    expect(serve({ ...queue, arrive: () => 0 }, 10)).toMatchObject({ use: 0, p50S: 0, p99S: 0, isReached: false });
  });

  test('gives the same result for the same seed, and another one for another seed', () => {
    expect(simulate(million, 7)).toEqual(simulate(million, 7));
    expect(simulate(million, 7)).not.toEqual(simulate(million, 8));
  });
});

describe('the first limits', () => {
  test('come in their order, for any seed', () => {
    for (const seed of [1, 2, 3]) {
      const limits = firstLimits(million, seed);

      expect(limits[0]?.what).toBe('requests of one Twitch application');
      expect(limits.length).toBeGreaterThanOrEqual(3);
      expect(limits.map(({ part }) => part)).toEqual(limits.map(({ part }) => part).toSorted((a, b) => a - b));
    }
  });

  test('do not exist for a small installation', () => {
    expect(firstLimits(small)).toEqual([]);
  });
});

describe('the page', () => {
  const output = [
    ...pageTables(),
    SCENARIOS.map(({ channels, kickChannels, rules, intervalS, servers, postsPerDay }) =>
      [channels, kickChannels, rules, intervalS, servers, ...Object.values(postsPerDay)]
        .map((count) => count.toLocaleString('en'))
        .join(' '),
    ).join(' '),
  ];

  test.each(output.slice(0, -1).map((table) => [table.split('\n')[2] ?? '', table]))('has the table of %s', (_, table) => {
    expect(page).toContain(`\n${table}\n`);
  });

  test('has the tables in the order in which the program writes them', () => {
    const offsets = pageTables().map((table) => page.indexOf(table));

    expect(offsets).toEqual(offsets.toSorted((one, other) => one - other));
  });

  test('has no other numbers than the program', () => {
    const numbers = (text: string): readonly string[] => text.match(/\d[\d.,]*\d|\d/gu) ?? [];
    const known = new Set(numbers(output.join('\n')));
    const [, body = ''] = page.split('# Capacity\n');
    const text = body.replaceAll(/```[^]*?```/gu, '').replaceAll(/\]\([^)]*\)/gu, '');

    expect(numbers(text).filter((one) => !known.has(one))).toEqual([]);
  });
});
