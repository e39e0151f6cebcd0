import { REST, Routes } from 'discord.js';
import type { CommandUses } from '#src/clients/chat/chat.ts';
import { isSettled, type Delivery, type DeliveryState } from '#src/engine/delivery/delivery.ts';
import type { DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import type { Log } from '#src/log.ts';
import { isGone } from '#src/rules/results.ts';
import { logFailedWrite } from '#src/discord/explain-error.ts';
import { textsFor } from '#src/discord/language/languages.ts';
import { restOptions } from '#src/discord/rest-options.ts';

interface CommandCloserOptions {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  readonly uses: Pick<CommandUses, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'ofFirings'>;
  readonly log: Log;
}

/** Reasons of an answer that the rule did not want to give. */
const NOTHING_TO_SAY: readonly unknown[] = ['stepIf', 'emptyList', 'emptyMessage', 'emptyParameter'];

const NOT_DONE: readonly DeliveryState[] = ['failed', 'unknown'];

/** Ends the use of a command that no delivery of its rule answered: otherwise the bot "is thinking" for 15 minutes. Never rejects. */
export function createCommandCloser({ token, apiUrl, uses, deliveries, log }: CommandCloserOptions): (answer: Delivery) => Promise<void> {
  const rest = new REST(restOptions(apiUrl)).setToken(token);
  return async ({ do: verb, firing, item }) => {
    try {
      const all = await deliveries.ofFirings([firing]);
      const answers = all.filter(({ plan }) => plan.do === verb);
      if (answers.some((one) => one.state === 'sent' || !isSettled(one))) return;
      const use = item && (await uses.find(item.key));
      if (!use) return;
      const { nothing, failed } = textsFor(use.locale).ruleCommands;
      const isSilent =
        all.every(({ state, result }) => !NOT_DONE.includes(state) && !isGone(result)) &&
        answers.every(({ reasonKind }) => NOTHING_TO_SAY.includes(reasonKind));
      const content = isSilent ? nothing : failed;
      const route = Routes.webhookMessage(use.application, use.token, '@original');
      await rest.patch(route, { body: { content, allowed_mentions: { parse: [] } }, auth: false });
    } catch (error) {
      logFailedWrite(log, error, 'a command without an answer could not be ended');
    }
  };
}
