import type { ScenarioView, StepView } from '#src/engine/simulation/preview/preview-view.ts';
import { nameOf } from '#src/rules/evaluate/items/item-fields.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import type { Rule } from '#src/rules/rule.ts';
import { stepName, stepPosition } from '#src/rules/step-name.ts';
import { messagePreview } from './message-preview.ts';
import type { PreviewAccounts } from './preview-accounts.ts';
import type { PreviewedStep } from './preview-simulation.ts';
import { remarksOn } from './step-remarks.ts';

interface Context {
  readonly rule: Rule;
  readonly accounts: PreviewAccounts;
}

/** The steps of a scenario as views, one for each firing. */
export function scenarioViews(steps: readonly PreviewedStep[], kind: ScenarioView['kind'], context: Context): readonly ScenarioView[] {
  const views: ScenarioView[] = [];
  for (const ones of Map.groupBy(steps, ({ firing }) => firing.id).values()) {
    const { item, previous } = ones[0]?.firing.scope ?? {};
    const about = item ?? previous;
    views.push({
      kind,
      name: context.rule.webhook?.name ?? (about && nameOf(about, 'it')),
      steps: ones.map((one) => stepView(one, context)),
    });
  }
  return views;
}

function stepView(previewed: PreviewedStep, { rule, accounts }: Context): StepView {
  const { firing, planned, outcome } = previewed;
  const { step, account, index } = planned;
  const position = stepPosition(rule, firing.section, index);
  const isDone = outcome.kind === 'done';
  const target = { textLimit: accounts.textLimitOf(account, step), keptWarning: isDone ? outcome.keptWarning : undefined };
  return {
    name: stepName(position),
    position,
    do: step.do,
    account,
    after: step.afterMs === undefined ? undefined : { ms: step.afterMs, text: formatDuration(step.afterMs) },
    notRun: notRunOf(outcome),
    reads: isDone && outcome.reads,
    remarks: remarksOn(previewed),
    messages: isDone ? outcome.params.map((params) => messagePreview(step.do, params, target)) : [],
  };
}

/** Why a step, or an element of its list, is not done. */
function notRunOf(outcome: PreviewedStep['outcome']): StepView['notRun'] {
  if (outcome.kind !== 'done') return outcome;
  return outcome.failure === undefined ? undefined : { kind: 'failed', message: outcome.failure };
}
