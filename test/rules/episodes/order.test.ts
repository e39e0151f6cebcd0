import fc from 'fast-check';
import { expect, test } from 'vitest';
import { advance, type Advance } from '#src/rules/episodes/advance.ts';
import { closeEpisodes } from '#src/rules/episodes/close-episodes.ts';
import type { Episode, RuleState } from '#src/rules/episode.ts';
import { hash } from '#src/rules/firing.ts';
import { compare } from './model/versus.ts';
import { someRule, someTimers, someWorld } from './model/world.ts';

/** Polls that had more than one episode to go by. */
const LEAST_CROWDED = 4_000;

/** FANFARE_MODEL_SEED plays the same worlds again; a failure prints the seed. */
const seed = Number(process.env['FANFARE_MODEL_SEED'] ?? Date.now() | 0);

test('a slot comes to the same, whatever order the episodes, their changes and what is under way are kept in', { timeout: 120_000 }, () => {
  let crowded = 0;
  const property = fc.property(someRule, someTimers, someWorld, fc.nat(), (rule, edit, world, salt) => {
    compare(rule, world, () => edit, {
      advanced(options, answer) {
        crowded += options.state.episodes.size > 1 ? 1 : 0;
        expect(told(advance({ ...options, state: shuffled(options.state, salt) }))).toBe(told(answer));
      },
      closed(options, answer) {
        expect(told(closeEpisodes({ ...options, state: shuffled(options.state, salt) }))).toBe(told(answer));
      },
    });
  });

  fc.assert(property, { seed, numRuns: 150 });

  expect(crowded).toBeGreaterThan(LEAST_CROWDED);
});

/** The same state as another store would give it: no database keeps the order of rows or of keys unasked. */
function shuffled({ episodes, delivering, ...rest }: RuleState, salt: number): RuleState {
  return {
    ...rest,
    episodes: new Map(mixed([...episodes], salt).map(([id, episode]): [string, Episode] => [id, withMixedHeld(episode, salt)])),
    delivering: delivering && new Map(mixed([...delivering], salt)),
  };
}

function withMixedHeld(episode: Episode, salt: number): Episode {
  const { held } = episode;
  return held ? { ...episode, held: Object.fromEntries(mixed(Object.entries(held), salt)) } : episode;
}

function mixed<T>(entries: readonly (readonly [string, T])[], salt: number): readonly (readonly [string, T])[] {
  const placeOf = (name: string): string => hash(salt, name);
  return entries.toSorted(([a], [b]) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

/** All of an answer, its lists in their order; the keys of maps have none. */
function told(answer: Advance): string {
  return JSON.stringify(answer, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
