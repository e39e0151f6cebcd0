import type { StepRemark } from '#src/engine/simulation/preview/preview-view.ts';
import { isJsonList, type JsonObject } from '#src/clients/operation/json.ts';
import { cardsLength, labelOf } from './message-preview.ts';
import type { PreviewedStep } from './preview-simulation.ts';

/** The remarks about a step that would be done: parts of it that would be cut, omitted or refused. */
export function remarksOn({ planned, outcome }: PreviewedStep): readonly StepRemark[] {
  if (outcome.kind !== 'done') return [];
  const { cut, cutWarning, foreignPings, checks } = outcome;
  return withoutRepeats([
    ...(cut === undefined ? [] : [{ kind: 'cut', detail: cut } as const]),
    ...(cutWarning === undefined ? [] : [{ kind: 'cutWarning', detail: cutWarning } as const]),
    ...outcome.params.flatMap(cardsLength).map(({ length, most }) => ({ kind: 'cutCards', length, most }) as const),
    ...foreignPings.map((name) => ({ kind: 'foreignPing', name }) as const),
    ...(planned.step.do === 'discord.edit' && outcome.params.some(removesButtons) ? [{ kind: 'removesButtons' } as const] : []),
    ...checks.flatMap(({ file }) => (file ? [{ kind: 'file', ...file } as const] : [])),
    ...checks.flatMap(({ target }) => target.map((error) => ({ kind: 'target', error }) as const)),
    ...checks.flatMap(({ missing, needsMissing: fails }) => missing.map((omission) => ({ kind: 'without', omission, fails }) as const)),
  ]);
}

/** Whether an edit has buttons, and Discord accepts none of them. */
function removesButtons({ buttons }: JsonObject): boolean {
  return isJsonList(buttons) && buttons.flatMap(labelOf).length === 0;
}

/** Each remark once: the messages for the elements of a list often have the same ones. */
function withoutRepeats(remarks: readonly StepRemark[]): readonly StepRemark[] {
  return [...new Map(remarks.map((remark) => [JSON.stringify(remark), remark])).values()];
}
