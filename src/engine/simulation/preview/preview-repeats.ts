import type { ScenarioView } from '#src/engine/simulation/preview/preview-view.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { stepOf } from '#src/rules/expression/reads.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Item } from '#src/rules/poll.ts';
import { repeatsOf } from '#src/rules/repeats.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { PreviewAccounts } from './preview-accounts.ts';
import { PreviewSimulation } from './preview-simulation.ts';
import { scenarioViews } from './scenario-views.ts';
import { eager, pollOf } from './scenarios.ts';

interface RepeatOptions {
  readonly slotMs: number;
  readonly accounts: PreviewAccounts;
  /** The stored values of the rule; absent: its start values. */
  readonly kept?: JsonObject | undefined;
}

/** The steps of `while` with `every`, each as if its next multiple came now for the first item. */
export async function simulateRepeats(
  rule: Rule,
  items: readonly Item[],
  { slotMs, accounts, kept }: RepeatOptions,
): Promise<readonly ScenarioView[]> {
  const poll = pollOf(items.slice(0, 1));
  const scenarios: ScenarioView[] = [];
  for (const everyMs of repeatsOf(rule.while)) {
    const simulation = new PreviewSimulation(eager(rule), accounts, kept);
    await simulation.slot({ slotMs, poll });
    const { startedMs } = simulation;
    if (startedMs === undefined) return [];
    const multiples = Math.floor((slotMs - startedMs) / everyMs) + 1;
    const nextMs = startedMs + Math.max(1, multiples) * everyMs;
    const { steps } = await simulation.slot({ slotMs: nextMs, poll }, (firings) => firings.map((firing) => withRepeats(firing, everyMs)));
    const repeated = steps.filter(({ planned }) => planned.step.everyMs === everyMs);
    scenarios.push(...scenarioViews(repeated, 'repeats', { rule, accounts }));
  }
  return scenarios;
}

/** A firing of `while` with the steps of one `every`, and the steps that these read. */
function withRepeats(firing: Firing, everyMs: number): Firing {
  const reads = new Set(firing.steps.flatMap(({ step }) => (step.everyMs === everyMs ? step.reads.map(stepOf) : [])));
  const isShown = ({ step }: Firing['steps'][number]): boolean => step.everyMs === everyMs || (step.id !== undefined && reads.has(step.id));
  return { ...firing, steps: firing.steps.filter(isShown) };
}
