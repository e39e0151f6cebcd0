import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import { ref } from '#src/operation/record.ts';
import type { Shape } from '../../shape/shape.ts';
import { closestName } from '../../wording/closest-name.ts';

export interface AnswerOptions {
  readonly answer: Json;
  /** The buttons of the question, as the rule has them. */
  readonly choices: Json | undefined;
  readonly complain: (complaint: string) => void;
}

/** A question that nobody has answered yet: of its record only what says where it stands. */
export function makeQuestion(record: Json | undefined): JsonObject {
  const known = Object.entries(isJsonObject(record) ? record : {}).filter(([name]) => name in ref);
  return Object.fromEntries(known);
}

/** What a person answers; who it was may be a name. Of a text without a choice the choice is the first one. */
export function makeAnswer(shape: Shape, { answer, choices, complain }: AnswerOptions): JsonObject {
  if (!isJsonObject(answer)) {
    complain(' must be keys with values, as { choice: send, by: ada }');
    return {};
  }
  const known = shape.kind === 'record' ? [...shape.fields.keys()].filter((name) => !(name in ref)) : [];
  for (const name of Object.keys(answer)) {
    if (known.includes(name)) continue;
    const meant = closestName(name, known);
    complain(`.${name}: there is no such field${meant === undefined ? `; there are ${known.join(', ')}` : `, did you mean ${meant}?`}`);
  }
  const buttons = isJsonList(choices) ? choices.filter((one) => typeof one === 'string').filter((one) => !one.includes('${{')) : [];
  const { choice, by, text } = answer;
  if (choice !== undefined && buttons.length > 0 && !buttons.some((one) => one === choice)) {
    complain(`.choice: there is no button ${JSON.stringify(choice)}; there are ${buttons.join(', ')}`);
  }
  return {
    ...answer,
    ...(choice === undefined && text !== undefined && buttons.length > 0 && { choice: buttons[0] }),
    ...(typeof by === 'string' && { by: { id: by, handle: by, displayName: by } }),
  };
}
