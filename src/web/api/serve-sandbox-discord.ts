import type { z } from 'zod';
import type { SandboxControl } from './sandbox-control.ts';
import type { SandboxDiscordParams } from './query.ts';
import type { SANDBOX_DISCORD_WRITES } from './sandbox-discord-writes.ts';
import { SandboxHistory, SandboxInteraction, SandboxSeen, type SandboxWritten, WrittenMessage } from './sandbox-discord-records.ts';

/** The sandbox waits three seconds for an endpoint of the bot, and then three seconds for the answer. */
const INTERACTION_MS = 10_000;

type Body<Name extends keyof typeof SANDBOX_DISCORD_WRITES> = z.output<(typeof SANDBOX_DISCORD_WRITES)[Name]['body']>;

/** A channel of the simulated Discord as a member sees it. */
export async function readDiscord(query: z.output<typeof SandboxDiscordParams>, control: SandboxControl): Promise<object> {
  const seen = await control({ path: '/discord/member', query, answer: SandboxSeen });
  const { channel, guild, member } = seen;
  const of = { guild: guild.id, channel: channel.id, user: member.id };
  return { ...seen, messages: (await control({ path: '/discord/history', query: of, answer: SandboxHistory })).items };
}

/** Sends an interaction of a member, and answers with the first answer of the bot. Later edits are in the channel. */
export function sendInteraction({ focused, ...body }: Body<'sendSandboxInteraction'>, control: SandboxControl): Promise<object> {
  const typing = focused === undefined ? {} : { focused, autocomplete: true };
  return control({
    method: 'POST',
    path: '/discord/interactions',
    body: { ...body, ...typing, waitMs: 0 },
    answer: SandboxInteraction,
    timeoutMs: INTERACTION_MS,
  });
}

/** Writes a message of a member. */
export async function writeMessage(body: Body<'writeSandboxMessage'>, control: SandboxControl): Promise<object> {
  const { id } = await control({ method: 'POST', path: '/discord/messages', body, answer: WrittenMessage });
  return { message: id } satisfies z.output<typeof SandboxWritten>;
}
