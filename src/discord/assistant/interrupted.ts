import { Routes, type APIMessage, type REST } from 'discord.js';
import type { OpenAnswer, OpenAnswers } from '#src/clients/assistant/conversation-state.ts';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { logFailedWrite } from '#src/discord/explain-error.ts';
import type { HandledEvents } from '#src/discord/handled-events.ts';
import { textsFor } from '#src/discord/language/languages.ts';
import { TOKEN_LIFE_MS } from './answer-target.ts';

/** After this time, no user waits for an answer to a message. */
const MAX_AGE_MS = 24 * 60 * 60_000;
const MAX_MESSAGE_LENGTH = 2_000;
const NO_PINGS = { parse: [], replied_user: false };

export interface InterruptedOptions {
  readonly open: OpenAnswers;
  readonly rest: REST;
  /** The id of the application. */
  readonly application: string;
  /** Later questions are not interrupted. */
  readonly since: Date;
  /** Lets one process report each answer. */
  readonly handled: HandledEvents;
  readonly clock: Clock;
  readonly log: Log;
}

/** Tells users that a restart interrupted their answers. Never rejects. */
export async function reportInterrupted(options: InterruptedOptions): Promise<void> {
  const { open, since, handled, clock, log } = options;
  try {
    for (const answer of await open.list()) {
      if (answer.askedAt >= since || !(await handled.claim(`interrupted ${answer.id}`))) continue;
      try {
        const ageMs = clock.nowMs() - answer.askedAt.getTime();
        if (ageMs < (answer.token === undefined ? MAX_AGE_MS : TOKEN_LIFE_MS)) await report(answer, options);
      } catch (error) {
        logFailedWrite(log, error, 'the notice of an interrupted answer could not be sent');
      }
      await open.close(answer.id);
    }
  } catch (error) {
    log.error({ error }, 'the interrupted answers cannot be read');
  }
}

async function report({ id, channel, token, message, locale }: OpenAnswer, { rest, application }: InterruptedOptions): Promise<void> {
  const print = `-# ${textsFor(locale).assistant.interrupted}`;
  if (token === undefined && message === undefined) {
    const reference = { message_id: id, fail_if_not_exists: false };
    // The nonce keeps a second report from adding a second message.
    const body = { content: print, message_reference: reference, nonce: `${id}:0`, enforce_nonce: true, allowed_mentions: NO_PINGS };
    await rest.post(Routes.channelMessages(channel), { body });
    return;
  }
  const route = token === undefined ? Routes.channelMessage(channel, message ?? '') : Routes.webhookMessage(application, token, message);
  const auth = token === undefined;
  const { content } = (await rest.get(route, { auth })) as APIMessage; // as Discord documents it
  const changed = content === '' ? print : `${content.slice(0, MAX_MESSAGE_LENGTH - print.length - 1)}\n${print}`;
  await rest.patch(route, { auth, body: { content: changed, components: [], allowed_mentions: NO_PINGS } });
}
