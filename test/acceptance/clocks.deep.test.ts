import { describe, expect, test } from 'vitest';
import { install, type Installation } from './installation.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Change {
  readonly zone: string;
  readonly way: 'forward' | 'back';
  /** The instant at which the clocks change. */
  readonly at: string;
  /** A time every day that is skipped or comes twice, and when it runs from the day before to the day after. */
  readonly daily: { readonly cron: string; readonly runs: readonly string[] };
  /** Wall times around the change. */
  readonly quiet: { readonly from: string; readonly to: string };
  /** A night that ends at a time that is skipped or comes twice, and how long a rule for every ten minutes is quiet. */
  readonly night: { readonly to: string; readonly minutes: number };
}

const CHANGES: readonly Change[] = [
  {
    zone: 'Europe/London',
    way: 'forward',
    at: '2027-03-28T01:00:00Z',
    daily: { cron: '30 1 * * *', runs: ['2027-03-27T01:30', '2027-03-28T01:00', '2027-03-29T00:30'] },
    quiet: { from: '00:30', to: '03:00' },
    night: { to: '01:30', minutes: 120 },
  },
  {
    zone: 'Europe/London',
    way: 'back',
    at: '2026-10-25T01:00:00Z',
    daily: { cron: '30 1 * * *', runs: ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'] },
    quiet: { from: '00:30', to: '03:00' },
    night: { to: '01:30', minutes: 210 },
  },
  {
    zone: 'America/New_York',
    way: 'forward',
    at: '2027-03-14T07:00:00Z',
    daily: { cron: '30 2 * * *', runs: ['2027-03-13T07:30', '2027-03-14T07:00', '2027-03-15T06:30'] },
    quiet: { from: '01:30', to: '04:00' },
    night: { to: '02:30', minutes: 180 },
  },
  {
    zone: 'America/New_York',
    way: 'back',
    at: '2026-11-01T06:00:00Z',
    daily: { cron: '30 1 * * *', runs: ['2026-10-31T05:30', '2026-11-01T05:30', '2026-11-02T06:30'] },
    quiet: { from: '00:30', to: '03:00' },
    night: { to: '01:30', minutes: 210 },
  },
  {
    zone: 'Australia/Lord_Howe',
    way: 'forward',
    at: '2026-10-03T15:30:00Z',
    daily: { cron: '15 2 * * *', runs: ['2026-10-02T15:45', '2026-10-03T15:30', '2026-10-04T15:15'] },
    quiet: { from: '01:30', to: '04:00' },
    night: { to: '02:15', minutes: 180 },
  },
  {
    zone: 'Australia/Lord_Howe',
    way: 'back',
    at: '2027-04-03T15:00:00Z',
    daily: { cron: '45 1 * * *', runs: ['2027-04-02T14:45', '2027-04-03T14:45', '2027-04-04T15:15'] },
    quiet: { from: '01:00', to: '03:00' },
    night: { to: '01:45', minutes: 200 },
  },
];

const dailyRule = ({ zone, daily }: Change): string => `
id: daily
when: { cron: "${daily.cron}", timezone: ${zone} }
then: [{ do: social.createPost, with: { text: "daily \${{ now }}" } }]
`;

const nightRules = ({ zone, quiet, night }: Change): readonly string[] => [
  `
id: tens
when: { cron: "*/10 * * * *", timezone: ${zone} }
then: [{ do: social.createPost, with: { text: "tens \${{ now }}" } }]
`,
  `
id: loud
when: { every: 10m }
quiet: { from: "${quiet.from}", to: "${quiet.to}", timezone: ${zone}, then: drop }
then: [{ do: social.createPost, with: { text: "loud \${{ now }}" } }]
`,
  `
id: by-day
when: { every: 10m }
quiet: { from: "23:00", to: "${night.to}", timezone: ${zone}, then: drop }
then: [{ do: social.createPost, with: { text: "by-day \${{ now }}" } }]
`,
];

/** Begins some hours before the change, and ends as many after it. */
async function around(
  change: Change,
  rules: readonly string[],
  { hours, tickSeconds }: { hours: number; tickSeconds: number },
): Promise<Installation> {
  const fanfare = await install({ rules, at: new Date(Date.parse(change.at) - hours * HOUR_MS).toISOString() });
  await fanfare.pass(2 * hours * 3600, tickSeconds);
  return fanfare;
}

/** The instants at which a rule spoke. */
async function spoken(fanfare: Installation, rule: string): Promise<readonly number[]> {
  const posts = await fanfare.posts();
  return posts.filter(({ text }) => text.startsWith(`${rule} `)).map(({ text }) => Date.parse(text.slice(rule.length + 1)));
}

/** What the clock on the wall shows, as minutes of the day. */
function wallMinutes(zone: string, atMs: number): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return minutesOf(format.format(atMs));
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function gaps(instants: readonly number[]): ReadonlySet<number> {
  return new Set(instants.slice(1).map((atMs, place) => (atMs - (instants[place] ?? 0)) / MINUTE_MS));
}

describe('12. London/New York/Lord Howe transitions both ways', () => {
  test.for(CHANGES)('12. London/New York/Lord Howe transitions both ways: a time of day in $zone, clocks $way', async (change) => {
    await using fanfare = await around(change, [dailyRule(change)], { hours: 30, tickSeconds: 900 });

    const daily = await spoken(fanfare, 'daily');

    expect(daily.map((atMs) => new Date(atMs).toISOString().slice(0, 16))).toEqual(change.daily.runs);
  });

  test.for(CHANGES)(
    '12. London/New York/Lord Howe transitions both ways: every ten minutes and quiet hours in $zone, clocks $way',
    async (change) => {
      const { zone, way } = change;
      await using fanfare = await around(change, nightRules(change), { hours: 4, tickSeconds: 300 });

      const [tens, loud] = [await spoken(fanfare, 'tens'), await spoken(fanfare, 'loud')];
      const [from, to] = [minutesOf(change.quiet.from), minutesOf(change.quiet.to)];
      const isQuiet = (atMs: number): boolean => wallMinutes(zone, atMs) >= from && wallMinutes(zone, atMs) < to;
      // The change makes the night longer, or shorter.
      const shift = (zone === 'Australia/Lord_Howe' ? 30 : 60) * (way === 'back' ? 1 : -1);

      expect(gaps(tens)).toEqual(new Set([10]));
      expect(tens.length).toBeGreaterThanOrEqual(48);
      expect(loud).toEqual(tens.filter((atMs) => !isQuiet(atMs)));
      expect(gaps(loud)).toEqual(new Set([10, to - from + shift + 10]));
      // Once, from the first of its beginnings to the last of its ends.
      expect(gaps(await spoken(fanfare, 'by-day'))).toEqual(new Set([10, change.night.minutes + 10]));
    },
  );
});
