import type { StepRemark } from '#src/engine/simulation/preview/preview-view.ts';
import { cardCharacters, MOST_CARD_TEXT } from '#src/clients/chat/sendable-cards.ts';
import { isJsonList, type JsonObject } from '#src/clients/operation/json.ts';
import { labelOf } from './message-preview.ts';
import type { PreviewedStep } from './preview-simulation.ts';
import { draftsIn } from './sample-message.ts';

/** The remarks about a step that would be done: parts of it that would be cut, omitted or refused. */
export function remarksOn({ planned, outcome }: PreviewedStep): readonly StepRemark[] {
  if (outcome.kind !== 'done') return [];
  const { cut, cutWarning, foreignPings, checks } = outcome;
  return withoutRepeats([
    ...(cut === undefined ? [] : [{ kind: 'cut', detail: cut } as const]),
    ...(cutWarning === undefined ? [] : [{ kind: 'cutWarning', detail: cutWarning } as const]),
    ...outcome.params.flatMap(cutCards),
    ...foreignPings.map((name) => ({ kind: 'foreignPing', name }) as const),
    ...(planned.step.do === 'discord.edit' && outcome.params.some(removesButtons) ? [{ kind: 'removesButtons' } as const] : []),
    ...checks.flatMap(({ file }) => (file ? [{ kind: 'file', ...file } as const] : [])),
    ...checks.flatMap(({ target }) => target.map((error) => ({ kind: 'target', error }) as const)),
    ...checks.flatMap(({ missing, needsMissing: fails }) => missing.map((omission) => ({ kind: 'without', omission, fails }) as const)),
  ]);
}

/** The cards of a message that are too long together. */
function cutCards(params: JsonObject): readonly StepRemark[] {
  const length = cardCharacters(draftsIn(params));
  return length > MOST_CARD_TEXT ? [{ kind: 'cutCards', length, most: MOST_CARD_TEXT }] : [];
}

/** Whether an edit has buttons, and Discord accepts none of them. */
function removesButtons({ buttons }: JsonObject): boolean {
  return isJsonList(buttons) && buttons.flatMap(labelOf).length === 0;
}

/** Each remark once: the messages for the elements of a list often have the same ones. */
function withoutRepeats(remarks: readonly StepRemark[]): readonly StepRemark[] {
  return [...new Map(remarks.map((remark) => [JSON.stringify(remark), remark])).values()];
}
