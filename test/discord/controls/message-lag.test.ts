import type { Message, MessageContextMenuCommandInteraction } from 'discord.js';
import { expect, test } from 'vitest';
import { systemClock } from '#src/clock.ts';
import type { Caller } from '#src/discord/caller.ts';
import { whyCommand } from '#src/discord/commands/why.ts';
import { en } from '#src/discord/language/en/index.ts';

const SLOT_MS = Date.UTC(2026, 10, 26, 12);

/** The answer about a message that was sent two seconds after the time of its poll. */
async function answerFor(startedMs: number): Promise<string> {
  const delivery = {
    rule: 'card',
    section: 'then',
    position: { id: 'card', section: 'then', number: 1 },
    do: 'discord.send',
    account: 'discord',
    createdAt: new Date(SLOT_MS + 1000),
    sentAt: new Date(SLOT_MS + 2000),
  };
  const origin = { delivery, slotMs: SLOT_MS, wantedMs: SLOT_MS, startedAt: new Date(startedMs) };
  const controls = { explainMessage: async () => ({ origins: [origin], isAnswer: false }), rules: async () => [] };
  const answers: unknown[] = [];
  const interaction = {
    guildId: '1',
    targetMessage: { id: '2', channelId: '1' } as Message,
    reply: async (answer: unknown) => answers.push(answer),
  } as unknown as MessageContextMenuCommandInteraction; // the command reads nothing else
  const caller = { texts: en, locale: 'en-GB', may: () => false } as unknown as Caller; // as above
  await whyCommand({ controls, clock: systemClock } as never).run(interaction, caller); // as above
  return JSON.stringify(answers);
}

test.for([
  ['before the time of its poll', -3000, '3 secs'],
  ['between the time of a slow poll and its response', 1000, '0 ms'],
  ['at the time of the message', 2000, '0 ms'],
  ['after the message, as a planned stream,', 60_000, undefined],
] as const)('the lag of a message about what began %s', async ([, offsetMs, later]) => {
  const startedMs = SLOT_MS + offsetMs;
  const began = later && en.controls.message.began(`<t:${startedMs / 1000}:f>`, later);

  const answer = await answerFor(startedMs);

  expect(/the event began .*? later/u.exec(answer)?.[0]).toBe(began);
});
