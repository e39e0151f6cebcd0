import { expect, test } from 'vitest';
import { moreExact, type ClockSample } from '#src/store/postgres/database-clock.ts';

const exact: ClockSample = { offsetMs: 1_000, errorMs: 2, takenMs: 50 };

test('a sample whose answer took long does not replace an exact one', () => {
  const slow = { offsetMs: -6_000, errorMs: 7_000, takenMs: 24_000 };

  expect(moreExact(exact, slow)).toBe(exact);
});

test('a later sample of about the same exactness replaces an earlier one, which drifts', () => {
  const next = { offsetMs: 1_004, errorMs: 3, takenMs: 10_050 };

  expect(moreExact(exact, next)).toBe(next);
});

test('a more exact sample replaces an earlier one', () => {
  const slow = { offsetMs: -6_000, errorMs: 7_000, takenMs: 20 };

  expect(moreExact(slow, exact)).toBe(exact);
});
