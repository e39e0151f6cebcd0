import { expect, test } from 'vitest';
import { fc, runs } from '../../support/property.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import { closeEpisodes } from '#src/rules/evaluate/close-episodes.ts';
import type { Episode, RuleState } from '#src/rules/episode.ts';
import { hash } from '#src/rules/firing.ts';
import { compare } from './model/compare.ts';
import { someRule, someTimers, someWorld } from './model/world.ts';

const WORLDS = runs(10, 150);

test('the effects of a slot do not depend on the order of the stored episodes, changes and deliveries', () => {
  let crowded = 0;
  const property = fc.property(someRule, someTimers, someWorld, fc.nat(), (rule, edit, world, salt) => {
    compare(rule, world, () => edit, {
      onAdvance(options, result) {
        crowded += options.state.episodes.size > 1 ? 1 : 0;
        expect(textOf(advance({ ...options, state: shuffled(options.state, salt) }))).toBe(textOf(result));
      },
      onClose(options, result) {
        expect(textOf(closeEpisodes({ ...options, state: shuffled(options.state, salt) }))).toBe(textOf(result));
      },
    });
  });

  fc.assert(property, { numRuns: WORLDS });

  expect(crowded).toBeGreaterThan(25 * WORLDS);
});

/** The same state in another order. A database returns rows and keys in any order. */
function shuffled({ episodes, delivering, ...rest }: RuleState, salt: number): RuleState {
  return {
    ...rest,
    episodes: new Map(
      shuffledEntries([...episodes], salt).map(([id, episode]): [string, Episode] => [id, withShuffledDeferred(episode, salt)]),
    ),
    delivering: delivering && new Map(shuffledEntries([...delivering], salt)),
  };
}

function withShuffledDeferred(episode: Episode, salt: number): Episode {
  const { deferredChanges } = episode;
  return deferredChanges
    ? { ...episode, deferredChanges: Object.fromEntries(shuffledEntries(Object.entries(deferredChanges), salt)) }
    : episode;
}

function shuffledEntries<T>(entries: readonly (readonly [string, T])[], salt: number): readonly (readonly [string, T])[] {
  const positionOf = (name: string): string => hash(salt, name);
  return entries.toSorted(([a], [b]) => (positionOf(a) < positionOf(b) ? -1 : 1));
}

/** The result as text. Keys of maps are sorted, because their order has no meaning. */
function textOf(result: Advance): string {
  return JSON.stringify(result, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
