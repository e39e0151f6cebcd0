import { isLoop, loopOf, walk, type Node } from './tree.ts';

const MOST_STEPS = 20_000;
/** How many letters or elements put into a list count as one step more. */
const UNITS_A_STEP = 100;

/** Counts the steps of loops, and stops an expression that runs on. */
export interface Meter {
  reset(): void;
  /** Throws where the expression was stopped, even if it swallowed that itself, as `exists` does. */
  assertWithin(): void;
}

/** Puts a meter into every loop of a checked expression that was not run yet. */
export function meterLoops(tree: Node): Meter {
  let steps = 0;

  function assertWithin(): void {
    if (steps > MOST_STEPS) throw new RangeError(`it was stopped after ${MOST_STEPS} steps: it looks at too much`);
  }

  walk(tree, ({ meta: { alternate } }) => {
    if (!alternate || !isLoop(alternate)) return;
    const { step } = loopOf(alternate);
    const { evaluate } = step.meta;
    step.setMeta('evaluate', (evaluator, node, context) => {
      steps++;
      assertWithin();
      const value = evaluate(evaluator, node, context);
      steps += weightOf(value);
      return value;
    });
  });

  return {
    reset: () => {
      steps = 0;
    },
    assertWithin,
  };
}

/** What a step of `map` added: it gives the whole list so far, the newest last. */
function weightOf(value: unknown): number {
  const added: unknown = Array.isArray(value) ? value.at(-1) : undefined;
  return typeof added === 'string' || Array.isArray(added) ? Math.floor(added.length / UNITS_A_STEP) : 0;
}
