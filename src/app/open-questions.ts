import { parseAnswerButtonId } from '#src/chat/answer-ids.ts';
import type { DeliveryEngine } from '#src/delivery/delivery-engine.ts';
import type { DeliveryStore } from '#src/delivery/delivery-store.ts';
import type { Questions } from '#src/discord/questions.ts';
import { isJsonList } from '#src/operation/json.ts';
import { isQuestion } from './steps.ts';

interface OpenQuestionsOptions {
  readonly deliveries: Pick<DeliveryStore, 'find'>;
  readonly engine: Pick<DeliveryEngine, 'answer'>;
}

/** The questions that rules ask, as the bot in Discord takes them. */
export function openQuestions({ deliveries, engine }: OpenQuestionsOptions): Questions {
  return {
    read: parseAnswerButtonId,

    async find(key) {
      const delivery = await deliveries.find(key);
      if (!delivery || !isQuestion(delivery.do)) return undefined;
      const roles = delivery.params?.['roles'];
      // Questions of earlier versions name no roles.
      return { roles: isJsonList(roles) ? roles.filter((role) => typeof role === 'string') : undefined };
    },

    onAnswer: async (key, answer) => (await engine.answer(key, answer)) !== undefined,
  };
}
