import type { KnownFacts } from '#src/rules/expression/decided-clauses.ts';
import { keysOf, shapeOf } from '#src/rules/shape/shape.ts';
import type { CheckContext } from './check-context.ts';
import type { CheckedExpression } from './check-expression.ts';
import type { PlacedStep } from './place-steps.ts';
import { pingOfEveryone } from './ping-warnings.ts';

interface ReadingStep extends PlacedStep {
  /** The expressions of the step. */
  readonly reads: readonly CheckedExpression[];
}

/** Changes that need different texts, with the words for them. */
const OPPOSITES = [
  { kinds: ['entered', 'left'], words: 'an item enters and when it leaves', told: [] },
  { kinds: ['rose', 'fell'], words: 'the number rises and when it falls', told: ['item'] },
] as const;

/** The names of values that depend on the change. A result or a kept value may depend on it. */
const OF_CHANGE = ['change', 'changes', 'previous', 'items', 'steps', 'keep'];

const TEXTS: ReadonlySet<string> = new Set(['content', 'text']);

/** Warns of a step that is the same for a change and for its opposite, for example that a stream that has ended is live. */
export function checkOppositeChanges(
  steps: readonly ReadingStep[],
  { facts, condition }: { readonly facts: KnownFacts | undefined; readonly condition: CheckedExpression | undefined },
  { document, report }: CheckContext,
): void {
  if (!facts || report.hasErrors) return;
  if (facts.kinds.includes('entered') && facts.kinds.includes('changed')) checkRepeatedPings(steps, condition, { document, report });
  for (const { kinds, words, told } of OPPOSITES) {
    if (!kinds.every((kind) => facts.kinds.includes(kind))) continue;
    if (condition && readsAny([condition], told)) continue;
    for (const { path, section, declared, reads } of steps) {
      if (section !== 'then' || declared?.kind !== 'write' || readsAny(reads, told)) continue;
      // An edit can show the current state, for example of a board.
      if (declared.effect !== 'creates' && keysOf(shapeOf(declared.params)).some((key) => TEXTS.has(key))) continue;
      const hint = `add if: change.kind == "${kinds[0]}", or write a text with change.kind == "${kinds[0]}" ? … : …`;
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
  if (condition && readsAny([condition])) return;
  for (const step of steps) {
    const ping = pingOfEveryone(step);
    if (step.section !== 'then' || ping === undefined || readsAny(step.reads)) continue;
    const message = 'this step pings everyone when an item enters, and again at each change';
    report.warning(document.locationOf(ping), 'repeated-ping', message, 'add if: change.kind == "entered"');
  }
}

function readsAny(reads: readonly CheckedExpression[], others: readonly string[] = []): boolean {
  return reads.some(({ expression: { names } }) => [...OF_CHANGE, ...others].some((name) => names.has(name)));
}
