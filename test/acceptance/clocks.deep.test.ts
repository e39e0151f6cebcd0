import { describe, expect, test } from 'vitest';
import { install, type Installation } from './installation.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * A clock change. `cron` is a daily time that is skipped or repeated, with its `runs` (day and time) from the day before to the
 * day after. `from` and `to` are quiet hours around the change. A night that ends at `nightEnd`, which is skipped or repeated,
 * stops a rule for every ten minutes during `nightMinutes`.
 */
type Change = readonly [
  zone: string,
  way: 'forward' | 'back',
  at: string,
  cron: string,
  runs: string,
  from: string,
  to: string,
  nightEnd: string,
  nightMinutes: number,
];

const CHANGES: readonly Change[] = [
  ['Europe/London', 'forward', '2027-03-28T01:00Z', '30 1 * * *', '27T01:30 28T01:00 29T00:30', '00:30', '03:00', '01:30', 120],
  ['Europe/London', 'back', '2026-10-25T01:00Z', '30 1 * * *', '24T00:30 25T00:30 26T01:30', '00:30', '03:00', '01:30', 210],
  ['America/New_York', 'forward', '2027-03-14T07:00Z', '30 2 * * *', '13T07:30 14T07:00 15T06:30', '01:30', '04:00', '02:30', 180],
  ['America/New_York', 'back', '2026-11-01T06:00Z', '30 1 * * *', '31T05:30 01T05:30 02T06:30', '00:30', '03:00', '01:30', 210],
  ['Australia/Lord_Howe', 'forward', '2026-10-03T15:30Z', '15 2 * * *', '02T15:45 03T15:30 04T15:15', '01:30', '04:00', '02:15', 180],
  ['Australia/Lord_Howe', 'back', '2027-04-03T15:00Z', '45 1 * * *', '02T14:45 03T14:45 04T15:15', '01:00', '03:00', '01:45', 200],
];

const dailyRule = ([zone, , , cron]: Change): string => `
id: daily
when: { cron: "${cron}", timezone: ${zone} }
then: [{ do: social.createPost, with: { text: "daily \${{ now }}" } }]
`;

const nightRules = ([zone, , , , , from, to, nightEnd]: Change): readonly string[] => [
  `
id: tens
when: { cron: "*/10 * * * *", timezone: ${zone} }
then: [{ do: social.createPost, with: { text: "tens \${{ now }}" } }]
`,
  `
id: loud
when: { every: 10m }
quiet: { from: "${from}", to: "${to}", timezone: ${zone}, then: drop }
then: [{ do: social.createPost, with: { text: "loud \${{ now }}" } }]
`,
  `
id: by-day
when: { every: 10m }
quiet: { from: "23:00", to: "${nightEnd}", timezone: ${zone}, then: drop }
then: [{ do: social.createPost, with: { text: "by-day \${{ now }}" } }]
`,
];

/** Runs rules from some hours before the change to as many hours after it. */
async function around(
  [, , at]: Change,
  rules: readonly string[],
  { hours, tickSeconds }: { hours: number; tickSeconds: number },
): Promise<Installation> {
  const fanfare = await install({ rules, at: new Date(Date.parse(at) - hours * HOUR_MS).toISOString() });
  await fanfare.pass(2 * hours * 3600, tickSeconds);
  return fanfare;
}

/** The instants at which a rule posted. */
async function postTimes(fanfare: Installation, rule: string): Promise<readonly number[]> {
  const posts = await fanfare.posts();
  return posts.filter(({ text }) => text.startsWith(`${rule} `)).map(({ text }) => Date.parse(text.slice(rule.length + 1)));
}

/** The wall time in minutes of the day. */
function wallMinutes(zone: string, atMs: number): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return minutesOf(format.format(atMs));
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function gaps(instants: readonly number[]): ReadonlySet<number> {
  return new Set(instants.slice(1).map((atMs, index) => (atMs - (instants[index] ?? 0)) / MINUTE_MS));
}

describe('12. London/New York/Lord Howe transitions both ways', () => {
  test.for(CHANGES)('12. London/New York/Lord Howe transitions both ways: a time of day in %s, clocks %s', async (change) => {
    await using fanfare = await around(change, [dailyRule(change)], { hours: 30, tickSeconds: 900 });

    const daily = await postTimes(fanfare, 'daily');

    expect(daily.map((atMs) => new Date(atMs).toISOString().slice(8, 16)).join(' ')).toBe(change[4]);
  });

  test.for(CHANGES)(
    '12. London/New York/Lord Howe transitions both ways: every ten minutes and quiet hours in %s, clocks %s',
    async (change) => {
      const [zone, way, , , , quietFrom, quietTo, , nightMinutes] = change;
      await using fanfare = await around(change, nightRules(change), { hours: 4, tickSeconds: 300 });

      const [tens, loud] = [await postTimes(fanfare, 'tens'), await postTimes(fanfare, 'loud')];
      const [from, to] = [minutesOf(quietFrom), minutesOf(quietTo)];
      const isQuiet = (atMs: number): boolean => wallMinutes(zone, atMs) >= from && wallMinutes(zone, atMs) < to;
      // The change makes the night longer or shorter.
      const shift = (zone === 'Australia/Lord_Howe' ? 30 : 60) * (way === 'back' ? 1 : -1);

      expect(gaps(tens)).toEqual(new Set([10]));
      expect(tens.length).toBeGreaterThanOrEqual(48);
      expect(loud).toEqual(tens.filter((atMs) => !isQuiet(atMs)));
      expect(gaps(loud)).toEqual(new Set([10, to - from + shift + 10]));
      // Quiet hours with a repeated end last until its second pass.
      expect(gaps(await postTimes(fanfare, 'by-day'))).toEqual(new Set([10, nightMinutes + 10]));
    },
  );
});
