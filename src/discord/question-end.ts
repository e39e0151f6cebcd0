import { isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { neededAnswers, storedAnswers } from '#src/engine/delivery/question.ts';
import type { QuestionEnd, ShownAnswer } from './questions.ts';

/** A question that was answered elsewhere, or that no longer waits for an answer. */
export type ClosedQuestion = Pick<Delivery, 'params' | 'result' | 'reason'>;

/** How a question ended. */
export function questionEnd(question: ClosedQuestion): QuestionEnd {
  const answers = storedAnswers(question).flatMap(shownAnswer);
  const { kind } = question.reason ?? {};
  return {
    answers,
    isAnswered: answers.length >= neededAnswers(question),
    isRuleDeleted: kind === 'ruleDeleted',
    isWithdrawn: kind === 'nextStepsWithdrawn',
  };
}

function shownAnswer({ choice, by }: JsonObject): readonly ShownAnswer[] {
  const person = isJsonObject(by) ? by['displayName'] : undefined;
  return typeof choice === 'string' && typeof person === 'string' ? [{ choice, person }] : [];
}
