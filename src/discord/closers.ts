import type { CommandUses } from '#src/clients/chat/chat.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { isJsonObject } from '#src/clients/operation/json.ts';
import { isSettled, type Delivery } from '#src/engine/delivery/delivery.ts';
import type { DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import { lateModule, wantsLate } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { ServerStore } from '#src/admin/servers/server-store.ts';
import type { CloseQuestion } from './question-closer.ts';
import { questionEnd, type ClosedQuestion } from './question-end.ts';

/** discord.js is the largest dependency, so it loads with the first message to close. */
const loadQuestionCloser = lateModule('the closing of questions', () => import('./question-closer.ts'));
const loadCommandCloser = lateModule('the ending of commands', () => import('./rule-commands/command-closer.ts'));

export interface ClosersOptions {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  readonly storedServers?: Pick<ServerStore, 'find'> | undefined;
  /** The uses of commands of rules, and their answers; absent: no rule has a command. */
  readonly store?: { readonly commandUses: Pick<CommandUses, 'find'>; readonly deliveries: Pick<DeliveryStore, 'ofFirings'> } | undefined;
  readonly log: Log;
}

/** Closes messages that nobody closes in Discord. This needs no connection of the bot. */
export interface Closers {
  /** Shows a question as closed, with its answer if it has one. */
  questionClosed(question: ClosedQuestion): void;
  /** Ends the use of a command that no delivery answered. */
  delivered(delivery: Delivery): void;
}

/** Creates the closers of a bot. They work in the background, and log failures. */
export function createClosers({ token, apiUrl, storedServers, store, log }: ClosersOptions): Closers {
  let closeQuestion: CloseQuestion | undefined;
  let endCommand: ((answer: Delivery) => Promise<void>) | undefined;
  for (const load of [loadQuestionCloser, loadCommandCloser]) wantsLate(load);

  function inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => log.error({ error }, 'a message in Discord could not be closed'));
  }

  return {
    questionClosed(question) {
      const message = isJsonObject(question.result) ? question.result['id'] : undefined;
      if (typeof message !== 'string') return;
      const close = async (): Promise<void> => {
        const { createQuestionCloser } = await loadQuestionCloser();
        closeQuestion ??= createQuestionCloser({ token, apiUrl, storedServers, log });
        await closeQuestion(message, questionEnd(question));
      };
      inBackground(close());
    },

    delivered(delivery) {
      const declared = catalogue.get(delivery.do);
      if (declared?.kind !== 'write' || declared.repliesTo !== 'command') return;
      if (!store || delivery.state === 'sent' || !isSettled(delivery)) return;
      const end = async (): Promise<void> => {
        const { createCommandCloser } = await loadCommandCloser();
        endCommand ??= createCommandCloser({ token, apiUrl, uses: store.commandUses, deliveries: store.deliveries, log });
        await endCommand(delivery);
      };
      inBackground(end());
    },
  };
}
