import { expect, test } from 'vitest';
import { loginWith } from '../../../test/support/discord-commands.ts';
import { channelOf, fetch, startDiscordSandbox, type DiscordSandbox } from '../../../test/support/discord-sandbox.ts';

async function get({ sandbox }: DiscordSandbox, path: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${sandbox.url}/control/discord/${path}`);
  return (await response.json()) as Readonly<Record<string, unknown>>; // the control API answers objects
}

test('a member is offered the commands and channels of the roles', async () => {
  await using discord = await startDiscordSandbox();
  await loginWith(discord, () => undefined);
  const [, moderator, member] = discord.people;
  const offered = async (user: string): Promise<readonly unknown[]> => {
    const { commands, channels } = (await get(discord, `member?user=${user}`)) as Readonly<
      Record<string, readonly { readonly command: string; readonly name: string }[]>
    >; // the lists of the answer
    return [commands?.map(({ command }) => command), channels?.some(({ name }) => name === 'moderators')];
  };

  expect(await offered(moderator)).toEqual([['game streams', 'go', 'moderate'], true]);
  expect(await offered(member)).toEqual([['game streams', 'go'], false]);
});

test('commands have their options with choices', async () => {
  await using discord = await startDiscordSandbox();
  await loginWith(discord, () => undefined);

  const { commands } = await get(discord, 'member?user=ada&channel=general');

  expect(commands).toContainEqual({
    command: 'game streams',
    description: 'Who streams a game',
    options: [
      { name: 'game', description: 'Which', kind: 'text', required: true, autocomplete: true, choices: [] },
      {
        name: 'count',
        description: 'How many',
        kind: 'text',
        required: false,
        autocomplete: false,
        choices: [{ name: 'three', value: '3' }],
      },
      { name: 'live', description: 'Only live', kind: 'boolean', required: false, autocomplete: false, choices: [] },
    ],
  });
});

test('the history has replies, edits, threads and reactions, without deleted messages', async () => {
  await using discord = await startDiscordSandbox();
  const channel = channelOf(await discord.login(), 'general');
  const first = await channel.send('One');
  const second = await first.reply('Two');
  await second.edit('Two again');
  await second.react('👍');
  await (await channel.send('Gone')).delete();
  await first.startThread({ name: 'More' });

  const { items } = await get(discord, 'history?user=ada&channel=general');

  expect(items).toMatchObject([
    { content: 'One', edited: false, thread: { name: 'More' } },
    { content: 'Two again', edited: true, reply: { author: 'Fanfare', text: 'One' }, reactions: [{ emoji: '👍', count: 1 }] },
  ]);
  await first.delete();
  expect((await get(discord, 'history?user=ada&channel=general&limit=1'))['items']).toMatchObject([{ reply: {} }]);
});
