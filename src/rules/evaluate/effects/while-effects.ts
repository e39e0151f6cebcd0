import type { Episode } from '#src/rules/episode.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Item } from '#src/rules/poll.ts';
import type { GateSuppression } from '#src/rules/reasons/reason.ts';
import { lastMultiple, missedMultiples, repeatsOf, type EpisodeSpan } from '#src/rules/repeats.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';
import { nameOf } from '../items/item-fields.ts';
import { decide } from './effects.ts';
import type { EvaluatedList } from './evaluated-list.ts';
import { whileFirings } from './firings.ts';
import { episodeScope } from './scope.ts';

interface WhileOptions {
  readonly episode: Episode;
  readonly previous: Item;
  /** When the item was seen before, in milliseconds since 1970. */
  readonly seenMs: number;
}

/** The firing of `while` at a poll, and the decisions about its steps with `every`. */
export interface WhileEffects {
  readonly firings: readonly Firing[];
  readonly decisions: readonly Decision[];
}

/** The effects of `while` for an episode whose item the poll has. */
export function whileEffects(
  { episode, previous, seenMs }: WhileOptions,
  { rule, slotMs, gates, stepScope }: Pick<EvaluatedList, 'rule' | 'slotMs' | 'gates' | 'stepScope'>,
): WhileEffects {
  const subject = { rule, slotMs, episode };
  const scope = episodeScope(stepScope, { episode, previous });
  const repeats = episode.announcedBy === undefined ? [] : repeatsOf(rule.while);
  if (repeats.length === 0) return { firings: whileFirings({ ...subject, scope }), decisions: [] };
  const span = { fromMs: seenMs - episode.startedMs, toMs: slotMs - episode.startedMs };
  const by = repeats.some((everyMs) => lastMultiple(everyMs, span) !== undefined) ? gates.repeatSuppression(episode.id) : undefined;
  const multipleOf = ({ everyMs, creates }: Step): number | undefined =>
    everyMs === undefined || (by && creates) ? undefined : lastMultiple(everyMs, span);
  const firings = whileFirings({ ...subject, scope, multipleOf });
  const decisions = repeats.flatMap((everyMs) => repeatDecisions(everyMs, span, { ...subject, by, firing: firings[0]?.id }));
  return { firings, decisions };
}

interface RepeatOptions {
  readonly rule: Rule;
  readonly slotMs: number;
  readonly episode: Episode;
  /** What blocks the steps that create something. */
  readonly by: GateSuppression | undefined;
  readonly firing: string | undefined;
}

function repeatDecisions(everyMs: number, span: EpisodeSpan, { by, firing, ...subject }: RepeatOptions): readonly Decision[] {
  const multipleMs = lastMultiple(everyMs, span);
  if (multipleMs === undefined) return [];
  const { episode, rule } = subject;
  const missed = missedMultiples(everyMs, span);
  const reason = {
    kind: 'everyReached',
    name: nameOf(episode.item, episode.key),
    everyMs,
    multipleMs,
    ...(missed > 0 && { missed }),
  } as const;
  const steps = rule.while.filter((step) => step.everyMs === everyMs);
  const blocked =
    by && steps.some(({ creates }) => creates) ? [decide('suppressed', { ...reason, block: { kind: 'suppressed', by } }, subject)] : [];
  const runs = steps.some(({ creates }) => !(by && creates)) ? [decide('fired', reason, { ...subject, details: { firing } })] : [];
  return [...runs, ...blocked];
}
