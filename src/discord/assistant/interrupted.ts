import { Routes, type APIMessage, type REST } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { OpenAnswer, OpenAnswers } from '#src/store/open-answers.ts';
import { wordsFor } from '../language/languages.ts';

/** How long the answer to a command can be changed. */
const TOKEN_LIFE_MS = 15 * 60_000;
/** Longer ago, nobody waits any more. */
const PATIENCE_MS = 24 * 60 * 60_000;
const LONGEST_MESSAGE = 2_000;
const NOBODY = { parse: [], replied_user: false };

export interface InterruptedOptions {
  readonly open: OpenAnswers;
  readonly rest: REST;
  /** The application's id. */
  readonly application: string;
  /** When this run began: what was asked since is not interrupted. */
  readonly since: Date;
  readonly clock: Clock;
  readonly log: Log;
}

/** Tells those who waited for an answer when the program ended that it will not come. Never rejects. */
export async function tellInterrupted(options: InterruptedOptions): Promise<void> {
  const { open, since, clock, log } = options;
  try {
    for (const answer of await open.list()) {
      if (answer.askedAt >= since) continue;
      try {
        if (clock.nowMs() - answer.askedAt.getTime() < (answer.token === undefined ? PATIENCE_MS : TOKEN_LIFE_MS))
          await tell(answer, options);
      } catch (error) {
        log.warn({ error }, 'nobody could be told that an answer was interrupted');
      }
      await open.close(answer.id);
    }
  } catch (error) {
    log.error({ error }, 'the answers that were interrupted cannot be read');
  }
}

async function tell({ id, channel, token, message, locale }: OpenAnswer, { rest, application }: InterruptedOptions): Promise<void> {
  const print = `-# ${wordsFor(locale).assistant.interrupted}`;
  if (token === undefined && message === undefined) {
    const reference = { message_id: id, fail_if_not_exists: false };
    // Told twice, it stands there once.
    const body = { content: print, message_reference: reference, nonce: `${id}:0`, enforce_nonce: true, allowed_mentions: NOBODY };
    await rest.post(Routes.channelMessages(channel), { body });
    return;
  }
  const route = token === undefined ? Routes.channelMessage(channel, message ?? '') : Routes.webhookMessage(application, token, message);
  const auth = token === undefined;
  const { content } = (await rest.get(route, { auth })) as APIMessage; // as Discord documents it
  const told = content === '' ? print : `${content.slice(0, LONGEST_MESSAGE - print.length - 1)}\n${print}`;
  await rest.patch(route, { auth, body: { content: told, components: [], allowed_mentions: NOBODY } });
}
