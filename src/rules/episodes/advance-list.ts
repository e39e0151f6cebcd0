import type { Decision } from '../decision.ts';
import type { RuleState, StateChange } from '../episode.ts';
import type { Poll } from '../poll.ts';
import type { Rule, Watched } from '../rule.ts';
import { createGates } from './telling/gates.ts';
import { presentItems } from './turns/present-items.ts';
import { whyBaseline, whyQuiet } from './telling/reasons.ts';
import { decide, said, type Said } from './telling/said.ts';
import { listScope, slotScope } from './telling/scope.ts';
import { THERE_ALREADY } from './turns/seen-turns.ts';
import { tell } from './telling/tell.ts';
import type { Moment, Turn } from './turns/turn.ts';
import { takeTurns } from './turns/take-turns.ts';

interface ListOptions {
  readonly rule: Rule;
  readonly watched: Watched;
  readonly state: RuleState;
  readonly list: Exclude<Poll, { readonly failure: string }>;
  readonly slotMs: number;
  readonly gap: boolean | undefined;
}

/** A slot of a rule that watches a list which could be read. */
export function advanceList(options: ListOptions): Said & { readonly change?: StateChange | undefined } {
  const { rule, watched, state, list, slotMs } = options;
  const present = presentItems(list.items, { rule, watched, slotMs });
  if (!present) return said({ decisions: [decide('failed', 'the answer cannot be used: one of its items has no key', { rule, slotMs })] });

  const moment = momentOf(options);
  const { turns, forgotten } = takeTurns({ watched, episodes: state.episodes, present, complete: list.complete, moment });
  const gates = createGates({ rule, memory: state.memory, slotMs });
  const slot = slotScope(rule, slotMs);
  const whole = { ...slot, ...listScope(present, turns) };
  const kept = rule.readsList ? whole : slot;
  const told = turns.map((turn) => tell(turn, { rule, watched, slotMs, gates, kept, whole }));

  return {
    change: {
      memory: { ...gates.memory(), fingerprint: watched.fingerprint, lastPollMs: slotMs },
      put: told.filter(({ isKept }) => isKept).map(({ episode }) => episode),
      drop: [...forgotten, ...told.filter(({ isKept }) => !isKept).map(({ episode }) => episode.id)],
    },
    firings: told.flatMap((one) => one.firings),
    withdrawals: told.flatMap((one) => one.withdrawals),
    decisions: withSummary(
      told.flatMap((one) => one.decisions),
      { ...options, turns },
    ),
  };
}

function momentOf({ rule, watched, state: { memory }, slotMs, gap }: ListOptions): Moment {
  const { fingerprint, lastPollMs } = memory;
  const sinceMs = slotMs - (lastPollMs ?? slotMs);
  const isGap = gap ?? ('everyMs' in rule.schedule && sinceMs > 2 * rule.schedule.everyMs);
  return {
    slotMs,
    baseline: fingerprint === undefined ? watched.first === 'silent' : fingerprint !== watched.fingerprint,
    gapMs: isGap ? sinceMs : undefined,
    maxAgeMs: rule.maxAgeMs,
  };
}

/** The decisions, and one about all that the first look found or about a list in which nothing happened. */
function withSummary(
  decisions: readonly Decision[],
  { rule, slotMs, state, turns, list }: ListOptions & { readonly turns: readonly Turn[] },
): readonly Decision[] {
  const found = turns.filter(({ kind, episode }) => kind === 'opened' && episode.silence === THERE_ALREADY).map(({ episode }) => episode);
  if (found.length > 0) {
    const reason = whyBaseline(found, { isNew: state.memory.fingerprint === undefined });
    return [decide('silent', reason, { rule, slotMs, details: { items: found.map(({ key }) => key) } }), ...decisions];
  }
  if (decisions.length > 0) return decisions;
  return [decide('quiet', whyQuiet(turns, list), { rule, slotMs })];
}
