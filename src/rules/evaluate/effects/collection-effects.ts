import type { JsonObject } from '#src/clients/operation/json.ts';
import type { CollectedChange, Episode, RuleMemory } from '#src/rules/episode.ts';
import type { Reason } from '#src/rules/reasons/reason.ts';
import { MOST_COLLECTED } from '#src/rules/rule.ts';
import type { MuteSuppression } from '../gates/gates.ts';
import { gatherDueBy } from '../gates/gather.ts';
import { decide, effects, mergeEffects, type Effects } from './effects.ts';
import type { EvaluatedList } from './evaluated-list.ts';
import { collectedFiring } from './firings.ts';
import { withoutMuted } from './without-muted.ts';

/** Runs the steps of `limit` and `gather` that are due. Also the changes that wait further. */
export function collectionEffects(evaluated: EvaluatedList): Effects & { readonly collected: Pick<RuleMemory, 'limited' | 'gathered'> } {
  const { rule, slotMs, gates, collection, state } = evaluated;
  const { waiting, limited, gathered } = collection.collected();
  // Collected changes are not lost while nothing is announced.
  const isBlocked = state.paused !== undefined || gates.isQuiet() || gates.memory().blownMs !== undefined;
  const releases: Effects[] = [];
  let [limitedLeft, gatheredLeft] = [[...waiting, ...limited], gathered];
  if (!isBlocked && waiting.length > 0 && gates.hasRoom && typeof rule.limit?.then === 'object') {
    releases.push(release('limit', waiting, (reason) => ({ kind: 'limitEnded', ...reason }), evaluated));
    // A change that this poll deferred waits until a further firing is allowed.
    limitedLeft = [...limited];
  }
  const due = isBlocked ? undefined : gatherDueBy(rule, gathered, slotMs);
  const some = gathered.slice(0, MOST_COLLECTED);
  // Without changes, the steps do not run.
  const suppressedBy = due && some.some(({ muted }) => !muted) ? gates.takeGatherRun() : undefined;
  if (due && suppressedBy) {
    const reason = { kind: 'gathered', changes: some.length, by: due, suppressedBy } as const;
    releases.push(effects({ decisions: [decide('suppressed', reason, { rule, slotMs })] }));
  } else if (due) {
    releases.push(release('gather', some, (reason) => ({ kind: 'gathered', by: due, ...reason }), evaluated));
    gatheredLeft = gathered.slice(MOST_COLLECTED);
  }
  return {
    ...mergeEffects(releases),
    collected: {
      limited: limitedLeft.length > 0 ? limitedLeft : undefined,
      gathered: gatheredLeft.length > 0 ? gatheredLeft : undefined,
    },
  };
}

function openEpisodes({ state, episodeChanges }: EvaluatedList): ReadonlySet<string> {
  const now = new Map<string, Episode>([...state.episodes, ...episodeChanges.map(({ episode }) => [episode.id, episode] as const)]);
  return new Set([...now.values()].filter(({ phase }) => phase !== 'closed').map(({ id }) => id));
}

/** The number of released changes, and who muted the others. */
interface Released {
  readonly changes: number;
  readonly suppressedBy?: MuteSuppression | undefined;
}

function release(
  section: 'limit' | 'gather',
  some: readonly CollectedChange[],
  reasonOf: (released: Released) => Reason,
  evaluated: EvaluatedList,
): Effects {
  const { rule, slotMs, stepScope } = evaluated;
  const open = openEpisodes(evaluated);
  const { left, muted } = withoutMuted(some, ({ muted: mute }) => mute, slotMs);
  const blocked = muted ? [decide('suppressed', reasonOf(muted), { rule, slotMs })] : [];
  if (left.length === 0) return effects({ decisions: blocked });
  const held = left.map(({ episode, change }): JsonObject => ({ ...change, open: open.has(episode) }));
  const firing = collectedFiring(section, { rule, slotMs, scope: { ...stepScope, held } });
  const fired = decide('fired', reasonOf({ changes: left.length }), { rule, slotMs, details: { firing: firing.id } });
  return effects({ firings: [firing], decisions: [fired, ...blocked] });
}
