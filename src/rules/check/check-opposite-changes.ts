import type { KnownFacts } from '#src/rules/expression/decided-clauses.ts';
import { keysOf, shapeOf } from '#src/rules/shape/shape.ts';
import type { CheckContext } from './check-context.ts';
import type { CheckedExpression } from './check-expression.ts';
import type { PlacedStep } from './place-steps.ts';
import { pingOfEveryone } from './ping-warnings.ts';

interface OppositeOptions {
  readonly facts: KnownFacts | undefined;
  /** The `if` of the rule. */
  readonly condition: CheckedExpression | undefined;
  /** Whether a cooldown or a limit suppresses most firings. */
  readonly isLimited: boolean;
}

interface ReadingStep extends PlacedStep {
  /** The expressions of the step. */
  readonly reads: readonly CheckedExpression[];
}

/** Changes that need different texts, with the words for them. */
const OPPOSITES = [
  { kinds: ['entered', 'left'], words: 'an item enters and when it leaves', told: [] },
  { kinds: ['rose', 'fell'], words: 'the number rises and when it falls', told: ['item'] },
] as const;

/** The names of values that depend on the change. A result or a kept value may depend on it; the episode is over when an item leaves. */
const OF_CHANGE = ['change', 'changes', 'episode', 'previous', 'items', 'steps', 'keep'];

const TEXTS: ReadonlySet<string> = new Set(['content', 'text']);

/** Warns of a step that is the same for a change and for its opposite, for example that a stream that has ended is live. */
export function checkOppositeChanges(
  steps: readonly ReadingStep[],
  { facts, condition, isLimited }: OppositeOptions,
  { document, report }: CheckContext,
): void {
  if (!facts || isLimited || report.hasErrors) return;
  if (facts.kinds.includes('entered') && facts.kinds.includes('changed')) checkRepeatedPings(steps, condition, { document, report });
  for (const { kinds, words, told } of OPPOSITES) {
    if (!kinds.every((kind) => facts.kinds.includes(kind))) continue;
    if (condition && readsAny([condition], told)) continue;
    for (const { path, section, declared, draft, reads } of steps) {
      if (section !== 'then' || declared?.kind !== 'write' || readsAny(reads, told)) continue;
      // An edit can show the current state, for example of a board.
      if (declared.effect !== 'creates' && keysOf(shapeOf(declared.params)).some((key) => TEXTS.has(key))) continue;
      const hint = `${onlyFor(kinds[0], draft)}, or write a text with change.kind == "${kinds[0]}" ? … : …`;
      report.warning(document.locationOf([...path, 'do']), 'same-step', `this step does the same when ${words}`, hint);
    }
  }
}

/** Warns of a message that pings everyone at the start and again at each later change. */
function checkRepeatedPings(
  steps: readonly ReadingStep[],
  condition: CheckedExpression | undefined,
  { document, report }: Pick<CheckContext, 'document' | 'report'>,
): void {
  // A condition on the item can be true for one of its values only.
  if (condition && readsAny([condition], ['item'])) return;
  for (const step of steps) {
    const ping = pingOfEveryone(step);
    if (step.section !== 'then' || ping === undefined || readsAny(step.reads) || /\bitem\b/u.test(step.draft.if ?? '')) continue;
    const message = 'this step pings everyone when an item enters, and again at each change';
    report.warning(document.locationOf(ping), 'repeated-ping', message, onlyFor('entered', step.draft));
  }
}

/** The hint for a step that should run for one kind of change. A step has only one `if`. */
function onlyFor(kind: string, { if: condition }: PlacedStep['draft']): string {
  const test = `change.kind == "${kind}"`;
  return condition === undefined ? `add if: ${test}` : `write if: ${test} && (…), with its condition in the place of …`;
}

function readsAny(reads: readonly CheckedExpression[], others: readonly string[] = []): boolean {
  return reads.some(({ expression: { names } }) => [...OF_CHANGE, ...others].some((name) => names.has(name)));
}
