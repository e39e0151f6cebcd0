import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fc, runs, seed } from '../support/property.ts';

const READER = fileURLToPath(new URL('parse-instants.ts', import.meta.url));
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The zones that a text can have, with their minutes east of UTC. */
const ZONES = [
  ['', 0],
  ...[' GMT', ' UT', ' UTC', 'Z', ' Z', '+00:00', ' -0000', ' WET'].map((zone) => [zone, 0] as const),
  [' EST', -300],
  [' EDT', -240],
  [' CST', -360],
  [' MDT', -360],
  [' PST', -480],
  [' CET', 60],
  [' cest', 120],
  [' MESZ', 120],
  [' BST', 60],
  [' EEST', 180],
  [' MSK', 180],
  [' IST', 330],
  [' JST', 540],
  [' AEDT', 660],
  [' NZST', 720],
  [' +0200', 120],
  ['+02:00', 120],
  ['+02', 120],
  [' GMT+2', 120],
  [' GMT+0200 (Central European Summer Time)', 120],
  [' -0330', -210],
  [' -07:00', -420],
] as const;

const two = (number: number): string => String(number).padStart(2, '0');

/** The forms of dates in feeds. The date is the local one in the zone. */
const FORMS: readonly ((local: Date, zone: string) => string)[] = [
  (local, zone) => local.toISOString().slice(0, 19) + zone,
  (local, zone) => local.toISOString().slice(0, 23).replace('T', ' ') + zone,
  (local, zone) => local.toISOString().slice(0, 16) + zone,
  (local, zone) => `${local.toUTCString().slice(0, -' GMT'.length)}${zone}`,
  (local, zone) => `${local.getUTCDate()} ${local.toUTCString().slice(8, -' GMT'.length)}${zone}`,
  (local, zone) => `${local.toUTCString().slice(0, -':00 GMT'.length)}${zone}`,
  (local, zone) =>
    `${DAYS[local.getUTCDay()]}, ${two(local.getUTCDate())}-${MONTHS[local.getUTCMonth()]}-${two(local.getUTCFullYear() % 100)} ${timeOf(local)}${zone}`,
  (local, zone) => `${local.toISOString().slice(0, 10).replaceAll('-', '/')} ${timeOf(local)}${zone}`,
  (local, zone) => `${MONTHS[local.getUTCMonth()]} ${local.getUTCDate()}, ${local.getUTCFullYear()} ${timeOf(local)}${zone}`,
  (local, zone) =>
    `${DAYS[local.getUTCDay()]?.slice(0, 3)} ${MONTHS[local.getUTCMonth()]} ${two(local.getUTCDate())} ${timeOf(local)}${zone} ${local.getUTCFullYear()}`,
  (local, zone) =>
    `${local.getUTCDate()} ${MONTHS[local.getUTCMonth()]} ${local.getUTCFullYear()} ${local.getUTCHours() % 12 || 12}:${two(local.getUTCMinutes())} ${local.getUTCHours() < 12 ? 'AM' : 'PM'} ${zone.trim()}`,
];

function timeOf(local: Date): string {
  return local.toISOString().slice(11, 19);
}

const written = fc
  .record({
    minute: fc.integer({ min: Date.UTC(2001, 0, 2) / 60_000, max: Date.UTC(2049, 0) / 60_000 }),
    form: fc.constantFrom(...FORMS),
    zone: fc.constantFrom(...ZONES),
  })
  .map(({ minute, form, zone: [zone, offset] }) => ({
    text: form(new Date((minute + offset) * 60_000), zone),
    instant: new Date(minute * 60_000).toISOString(),
  }));

/** Texts without an instant. */
const UNREADABLE = ['', 'soon', 'Sat, 01 Jun 2024 10:00:00 XYZ', '2024-13-01T10:00:00Z', '{}', `1:00${' '.repeat(3_000_000)}b`];

test.for(['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'])(
  'a date means the same instant on each machine, also in the zone %s',
  (zone) => {
    const dates = fc.sample(written, { numRuns: runs(3_000, 50_000), seed });
    const texts = [...dates.map(({ text }) => text), '2024-06-01', '1 June 2024', ...UNREADABLE];

    const { stdout } = spawnSync(process.execPath, [READER], {
      env: { ...process.env, TZ: zone },
      input: JSON.stringify(texts),
      maxBuffer: Infinity,
    });

    const read = JSON.parse(stdout.toString()) as readonly (string | null)[]; // as parse-instants.ts writes them
    const midnight = '2024-06-01T00:00:00.000Z';
    const expected = [...dates.map(({ instant }) => instant), midnight, midnight, ...UNREADABLE.map(() => null)];
    const wrong = texts.flatMap((text, index) =>
      read[index] === expected[index] ? [] : [{ text, read: read[index], expected: expected[index] }],
    );
    expect(wrong.slice(0, 10)).toEqual([]);
  },
);
