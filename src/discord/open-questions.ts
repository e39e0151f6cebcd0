import { parseAnswerButtonId } from '#src/clients/chat/answer-ids.ts';
import type { Actions } from '#src/admin/actions/actions.ts';
import type { DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import type { Questions, StoredAnswer } from './questions.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { neededAnswers, storedAnswers } from '#src/engine/delivery/question.ts';
import { isQuestion } from '#src/engine/delivery/steps.ts';

interface OpenQuestionsOptions {
  readonly deliveries: Pick<DeliveryStore, 'find'>;
  readonly actions: Pick<Actions, 'answerDelivery'>;
}

/** The questions that rules ask, as the bot in Discord takes them. */
export function openQuestions({ deliveries, actions }: OpenQuestionsOptions): Questions {
  return {
    read: parseAnswerButtonId,

    async find(key) {
      const delivery = await deliveries.find(key);
      if (!delivery || !isQuestion(delivery.do)) return undefined;
      const roles = delivery.params?.['roles'];
      // Questions of earlier versions name no roles.
      return { roles: isJsonList(roles) ? roles.filter((role) => typeof role === 'string') : undefined };
    },

    async onAnswer(delivery, { by, ...answer }) {
      const outcome = await actions.answerDelivery({ delivery, ...answer }, by);
      if (!outcome || !('answered' in outcome)) return undefined;
      const { answered } = outcome;
      const { message, reason } = answered;
      const remark = reason?.kind === 'nextStepsWithdrawn' && message !== undefined ? { message, reason } : undefined;
      return { needed: neededAnswers(answered), answers: storedAnswers(answered).map(toShown), remark };
    },
  };
}

function toShown({ choice, by }: JsonObject): StoredAnswer {
  const { id, displayName, platform } = isJsonObject(by) ? by : {};
  const answer = { choice: textOf(choice), person: textOf(id) };
  return platform === 'fanfare' ? { ...answer, name: textOf(displayName) } : answer;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
