import { createHash } from 'node:crypto';
import type { ChatInputCommandInteraction, MessageComponentInteraction } from 'discord.js';
import { expect, test } from 'vitest';
import type { Caller } from '#src/discord/caller.ts';
import { systemClock } from '#src/clock.ts';
import { deliveriesCommand } from '#src/discord/commands/deliveries.ts';
import { en } from '#src/discord/language/en/index.ts';

const LONG = 'announcements-of-a-client-with-a-long-name';
const KNOWN = ['streamers/client-a', 'streamers/client-b', 'layoffs', LONG].map((id) => ({ id, name: id.split('/')[0] ?? id, on: true }));
const GONE = [{ id: 'merger', lastRunAt: new Date(0) }];
const caller = {
  texts: en,
  locale: 'en-US',
  server: { account: 'discord', id: 'B', zone: 'UTC' },
  scope: { server: 'B' },
  may: () => true,
} as unknown as Caller; // the command reads nothing else

/** The command of an installation with these rules, none of which sent anything to the server. `rules` are the rules of its requests. */
function openCommand() {
  const rules: (string | undefined)[] = [];
  const controls = {
    rules: async () => KNOWN,
    gone: async () => GONE,
    async deliveries({ rule }: { readonly rule?: string }) {
      rules.push(rule);
      return { items: [], more: false };
    },
  };
  return { command: deliveriesCommand({ controls, clock: systemClock } as never), rules }; // it uses nothing else
}

async function answerTo(typed: string): Promise<unknown> {
  const answers: unknown[] = [];
  const options = { getString: (name: string) => (name === 'rule' ? typed : null) };
  const interaction = { options, reply: async (answer: unknown) => answers.push(answer) } as unknown as ChatInputCommandInteraction; // as above
  await openCommand().command.run(interaction, caller);
  return JSON.parse(JSON.stringify(answers).replaceAll(typed, ''));
}

test('/deliveries does not show a member of another server which rules the installation has', async () => {
  const answer = await answerTo('nothing');

  expect(JSON.stringify(answer)).toContain(en.controls.delivering.none);
  for (const typed of ['streamers', 'streamers/client-a', 'layoffs', 'merger']) expect(await answerTo(typed)).toEqual(answer);
});

test.each([
  ['of an unknown rule', 'nothing', 'nothing'],
  ['of a known rule', 'layoffs', 'layoffs'],
  ['with the hash of a long name', `~${createHash('sha256').update(LONG).digest('base64url').slice(0, 22)}`, LONG],
  ['with the hash of an unknown name', '~AAAAAAAAAAAAAAAAAAAAAA', '~AAAAAAAAAAAAAAAAAAAAAA'],
])('a button %s shows the deliveries of the server', async (_, short, rule) => {
  const { command, rules } = openCommand();
  const answers: unknown[] = [];
  const interaction = {
    customId: 'deliveries:page:0',
    message: { flags: { has: () => true }, interactionMetadata: null },
    update: async (answer: unknown) => answers.push(answer),
  } as unknown as MessageComponentInteraction; // as above

  await command.components?.['page']?.(interaction, ['0', short, '', 'first'], caller);

  expect(rules).toEqual([rule]);
  expect(JSON.stringify(answers)).toContain(en.controls.delivering.none);
});
