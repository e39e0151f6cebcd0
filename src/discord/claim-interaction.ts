import type { Interaction } from 'discord.js';
import { settlesWithin, type Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { refuse } from './explain-error.ts';
import type { HandledEvents } from './handled-events.ts';
import { textsFor } from '#src/discord/language/languages.ts';
import { SOON_MS } from './reply.ts';

export interface ClaimOptions {
  readonly handled: HandledEvents;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Whether this process handles an interaction: the same one may come over the gateway, over HTTP, at another process, and again after a
 * resume. If the store does not answer soon, the user gets an error.
 */
export async function claimInteraction(interaction: Interaction, { handled, clock, log, signal }: ClaimOptions): Promise<boolean> {
  let problem: { readonly error?: unknown } = {};
  try {
    const claim = handled.claim(interaction.id);
    if (await settlesWithin(claim, SOON_MS, clock)) return await claim;
  } catch (error) {
    problem = { error };
  }
  if (signal.aborted) return false;
  log.error(problem, 'an interaction was not handled, because the store did not answer');
  // Another process may have answered it.
  await answerUnreachable(interaction).catch(() => undefined);
  return false;
}

async function answerUnreachable(interaction: Interaction): Promise<void> {
  const texts = textsFor(interaction.locale);
  if (interaction.isAutocomplete()) await interaction.respond([]);
  else await refuse(interaction, new UserError(texts.errors.stateUnreachable), texts);
}
