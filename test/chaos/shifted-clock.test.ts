import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { clockShift } from './worker-process.ts';

const HOUR_MS = 3_600_000;
const SCRIPT = `
const before = performance.now();
const dates = [Date.now(), new Date().getTime(), Date.parse(Date()), new (class extends Date {})().getTime()];
console.log(JSON.stringify({
  dates,
  isDate: new Date() instanceof Date && new Date().constructor === Date,
  fixed: new Date(5).getTime(),
  parsed: new Date('2026-11-20T18:00:00Z').toISOString(),
  utc: Date.UTC(1970, 0, 2),
  monotonicMs: performance.now() - before,
}));
`;

async function run(shiftMs: number): Promise<Record<string, unknown> & { dates: number[] }> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', SCRIPT], { env: { ...process.env, ...clockShift(shiftMs) } });
  return JSON.parse(stdout) as Record<string, unknown> & { dates: number[] }; // the script prints it
}

test.for([2 * HOUR_MS, -2 * HOUR_MS, 0])('shifts the current time of a process by %i ms, and no other time', async (shiftMs) => {
  const startMs = Date.now();
  const { dates, ...others } = await run(shiftMs);
  const endMs = Date.now();

  for (const dateMs of dates) {
    expect(dateMs).toBeGreaterThanOrEqual(startMs + shiftMs - 1000);
    expect(dateMs).toBeLessThanOrEqual(endMs + shiftMs);
  }
  expect(others).toMatchObject({ isDate: true, fixed: 5, parsed: '2026-11-20T18:00:00.000Z', utc: 86_400_000 });
  expect(others['monotonicMs']).toBeLessThan(60_000);
});
