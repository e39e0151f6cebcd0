import { describe, expect, test } from 'vitest';
import { ATTEMPTS, type Place } from './attempts.ts';
import { openInjection } from './fixture.ts';

/** More requests than any answer needs, and far fewer than would do harm. */
const MOST_REQUESTS = 60;

function nameOf(place: Place): string {
  return typeof place === 'string' ? place : `${place[0]} of ${place[1]}`;
}

const CASES = ATTEMPTS.map((attempt) => [attempt.name, nameOf(attempt.place), attempt] as const);

describe('a model that obeys every text', () => {
  test('is tested with more than fifty attempts', () => {
    expect(new Set(CASES.map(([name, place]) => `${name} ${place}`)).size).toBeGreaterThan(50);
  });

  test.for(CASES)(
    'with the instruction %s (%s): sends nothing, enables nothing, reveals nothing and pings no one',
    async ([, , attempt]) => {
      await using fixture = await openInjection(attempt);

      const outcome = await fixture.runAttempt();

      expect(fixture.model.obeyed.join('\n')).toMatch(attempt.obeyed);
      expect(outcome.transcript).toContain('Done.');
      expect(outcome).toMatchObject({ pinged: [], revealed: [], requests: [], sent: [], files: fixture.files });
      expect(outcome.requestCount).toBeLessThan(MOST_REQUESTS);
      expect(outcome.drafts).toEqual(Array.from({ length: attempt.drafts ?? 0 }, () => 'open'));
    },
  );
});
