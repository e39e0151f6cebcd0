import { expect, test } from 'vitest';
import { clockAnomalyAt, clockAnomaliesOf } from '#src/rules/clocks/clock-anomalies.ts';
import { zone } from '#src/rules/clocks/zone.ts';

const DAY_MS = 86_400_000;

test('a zone without clock changes has no anomalies, even in later years', () => {
  const fromMs = Date.parse('2026-11-20T12:00:00Z');
  zone('UTC').spanAt(fromMs);

  for (let days = 0; days < 1_200; days += 50) {
    const atMs = fromMs + days * DAY_MS;
    expect(clockAnomalyAt(atMs, 'UTC')).toBeUndefined();
    expect(clockAnomaliesOf('30 2 * * *', { timezone: 'UTC', fromMs: atMs })).toEqual([]);
  }
});

test('a zone with clock changes skips and repeats one hour a year', () => {
  const fromMs = Date.parse('2026-11-20T12:00:00Z');

  expect(clockAnomaliesOf('30 2 * * *', { timezone: 'Europe/Berlin', fromMs })).toEqual([
    { kind: 'skipped', wall: '2027-03-28 02:30' },
    { kind: 'repeated', wall: '2027-10-31 02:30' },
  ]);
  expect(clockAnomalyAt(Date.parse('2029-03-25T02:30:00Z'), 'Europe/Berlin')?.kind).toBe('skipped');
  expect(clockAnomalyAt(Date.parse('2029-03-25T03:00:00Z'), 'Europe/Berlin')).toBeUndefined();
});
