import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { documentationOf } from '#src/cli/document.ts';
import { program } from '#src/cli/program.ts';
import { terminal } from '#src/cli/terminal.ts';
import { typedTime } from '#src/cli/typed-time.ts';
import { UsageError } from '#src/cli/usage-error.ts';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { readTime } from '#src/engine/posting/read-time.ts';
import { writeTime } from '#src/engine/posting/write-time.ts';
import { fc, runs } from '../support/property.ts';
import { pageFiles } from './pages.ts';

/** Dates of the past stay in the past, and people replace those from this year on, which is far away. */
const RECENT = '2026-12';
const FAR = '2030';

const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC');
const days = fc.integer({ min: Date.parse('2026-11-01'), max: Date.parse('2040-01-01') });

/** The dates of a text that become past while the text stays. The clock of a test of a rule stands still, and nobody reads comments. */
function passingDates(text: string): readonly string[] {
  const read = text.replaceAll(/^\s*(?:\/\*\*|\*|\/\/|start: ).*$/gmu, '');
  return [...read.matchAll(/\b20\d\d-\d\d-\d\d/gu)].map(([date]) => date).filter((date) => date >= RECENT && date < FAR);
}

describe('an example that a reader copies works in the next years', () => {
  const files = [...pageFiles(), 'fanfare.yaml', ...globSync(['rules/*.yaml', '{src,adapters}/**/*.ts'])];

  test('dates in texts, pages and rules are in the past or far away', () => {
    expect(files.map((file) => [file, passingDates(readFileSync(file, 'utf8'))]).filter(([, dates]) => dates?.length)).toEqual([]);
  });

  test('times in the help of commands are in the future at any time', async () => {
    const { commands } = await program(['node', 'fanfare'], terminal(process));
    const lines = commands.flatMap((command) => [
      ...documentationOf(command).examples.map(([, line]) => line),
      ...command.options.filter(({ flags }) => flags.endsWith('<time>')).map(({ flags, description }) => `${flags} ${description}`),
    ]);
    const times = lines.flatMap((line) =>
      /--(?:from|until|expires) /u.test(line) ? [...line.matchAll(/"([^"]+)"/gu)].map(([, time = '']) => time) : [],
    );

    expect(times.length).toBeGreaterThan(5);
    fc.assert(
      fc.property(fc.constantFrom(...times), zones, days, (time, zone, nowMs) => {
        expect(readTime(time, { zone, nowMs }).kind).toBe('at');
      }),
      { numRuns: runs(200, 5000) },
    );
  });

  test('the time in the error of an unclear time is one', () => {
    let refused: unknown;
    try {
      typedTime('soon', '--until');
    } catch (error) {
      refused = error;
    }

    const { hint = '' } = refused instanceof UsageError ? refused : {};
    const times = [...hint.matchAll(/"([^"]+)"/gu)].map(([, time = '']) => time);
    expect(times).toHaveLength(3);
    expect(times.map((time) => typedTime(time, '--until'))).toEqual(times.map(() => expect.any(Date)));
  });

  test.for([
    ['English', en],
    ['German', de],
  ] as const)('times in %s texts of Discord are times', ([, { posting, controls }]) => {
    const hints = [posting.errors.time.unclear, posting.errors.time.dayOnly, controls.errors.pauseEndsFirst('a', 'b')];
    const times = [
      ...posting.options.time.description.split(', '),
      ...hints.flatMap((hint) => [...hint.matchAll(/`([^`]+)`/gu)].map(([, time = '']) => time)),
    ];

    const here = { zone: 'Europe/Berlin', nowMs: Date.parse('2031-06-01T12:00:00Z') };
    expect(times.map((time) => [time, readTime(time, here).kind])).toEqual(times.map((time) => [time, 'at']));
  });

  test('a written time is read as the same time', () => {
    fc.assert(
      fc.property(zones, days, fc.integer({ min: 1, max: 500_000 }), (zone, nowMs, minutes) => {
        const at = new Date(Math.floor(nowMs / 60_000) * 60_000 + minutes * 60_000);
        const { wall, offset } = writeTime(at, zone);
        expect(readTime(`${wall}${offset}`, { zone, nowMs })).toEqual({ kind: 'at', at });
      }),
      { numRuns: runs(200, 5000) },
    );
  });
});
