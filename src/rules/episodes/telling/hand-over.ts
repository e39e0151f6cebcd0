import type { JsonObject } from '#src/operation/json.ts';
import type { Episode, RuleState } from '../../episode.ts';
import type { ChangeKind, Rule, Scope } from '../../rule.ts';
import { pauseRefusal } from '../gates/pause.ts';
import { fireQuiet } from './fire.ts';
import { decide, said, type Said } from './said.ts';
import { episodeRecord, KINDS, toRecord } from './scope.ts';

/** Gives what was held to the steps of `quiet`. */
export function handOver(
  held: readonly JsonObject[],
  {
    rule,
    state: { memory, paused },
    slotMs,
    scope,
  }: { readonly rule: Rule; readonly state: Pick<RuleState, 'memory' | 'paused'>; readonly slotMs: number; readonly scope: Scope },
): Said {
  const steps = rule.quiet?.then;
  if (steps === undefined || typeof steps === 'string') return said({});
  const about = { rule, slotMs };
  const lastSlotMs = rule.watched ? undefined : memory.heldSlot?.atMs;
  const what = { kind: 'handedOver', changes: held.length, ...(lastSlotMs !== undefined && { lastSlotMs }) } as const;
  const blew = memory.blownMs === undefined ? undefined : ({ kind: 'fuseBlew' } as const);
  const untold = paused ? pauseRefusal(paused, slotMs) : blew;
  if (untold) return said({ decisions: [decide('refused', { ...what, untold }, about)] });
  const firing = fireQuiet({ ...about, scope: { ...scope, held }, endMs: memory.quietEndMs ?? slotMs, steps });
  return said({ firings: [firing], decisions: [decide('fired', what, { ...about, details: { firing: firing.id } })] });
}

/** What was held of these episodes, in the order in which it happened, and at one time in theirs. */
export function heldOf(episodes: readonly Episode[]): readonly JsonObject[] {
  const all = episodes.flatMap((episode) =>
    KINDS.flatMap((kind) => {
      const atMs = episode.held?.[kind]?.atMs;
      return atMs === undefined ? [] : [{ atMs, record: heldRecord(episode, kind) }];
    }),
  );
  return all.toSorted((a, b) => a.atMs - b.atMs).map(({ record }) => record);
}

function heldRecord(episode: Episode, kind: ChangeKind): JsonObject {
  const { previous, from, to } = episode.held?.[kind] ?? {};
  const change = { kind, previous, from, to };
  return { ...toRecord({ episode, change }), open: episode.phase !== 'closed', episode: episodeRecord(episode) };
}
