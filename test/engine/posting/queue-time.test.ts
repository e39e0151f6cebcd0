import { describe, expect, test } from 'vitest';
import { nextQueueTime } from '#src/engine/posting/queue-time.ts';

const TIMES = ['18:00', '09:00', '02:30'];

function next(now: string, taken: readonly string[] = [], times = TIMES): string | undefined {
  const reserved = new Set(taken.map((one) => Date.parse(one)));
  return nextQueueTime({ times, zone: 'Europe/Berlin', nowMs: Date.parse(now), taken: reserved })?.toISOString();
}

describe('the next time of the queue', () => {
  test('is the next time of the day, or the first time of the next day', () => {
    expect(next('2026-11-20T06:00:00Z')).toBe('2026-11-20T08:00:00.000Z');
    expect(next('2026-11-20T08:00:00Z')).toBe('2026-11-20T17:00:00.000Z');
    expect(next('2026-11-20T20:00:00Z')).toBe('2026-11-21T01:30:00.000Z');
  });

  test('is a free time', () => {
    expect(next('2026-11-20T06:00:00Z', ['2026-11-20T08:00:00Z', '2026-11-20T17:00:00Z'])).toBe('2026-11-21T01:30:00.000Z');
  });

  test('is the first of repeated wall times, and the instant of the change for skipped wall times', () => {
    expect(next('2027-10-30T20:00:00Z')).toBe('2027-10-31T00:30:00.000Z');
    expect(next('2027-10-31T00:30:00Z')).toBe('2027-10-31T08:00:00.000Z');
    expect(next('2027-03-27T20:00:00Z')).toBe('2027-03-28T01:00:00.000Z');
  });

  test('is undefined if the queue has no times', () => {
    expect(next('2026-11-20T06:00:00Z', [], [])).toBeUndefined();
  });
});
