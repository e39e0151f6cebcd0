import { type ChatInputCommandInteraction, DiscordAPIError } from 'discord.js';
import { expect, test } from 'vitest';
import type { Caller } from '#src/discord/caller.ts';
import type { SlashCommand } from '#src/discord/command.ts';
import { dispatcher } from '#src/discord/dispatch.ts';
import { en } from '#src/discord/language/en/index.ts';
import { textsFor } from '#src/discord/language/languages.ts';
import { createLog, silentLog } from '#src/log.ts';
import { type BotFixture, openBot } from './bot-fixture.ts';
import { openBotConnection } from './connection-fixture.ts';

test('if suggestions fail, nothing is offered, and only defects are logged', async () => {
  await using fixture = await openBotConnection();
  await fixture.online.client;
  const type = (text: string) =>
    fixture.discord.interact({
      user: fixture.discord.people[0],
      channel: 'general',
      command: 'echo',
      options: { text },
      autocomplete: true,
    });

  const answers = [await type('what?'), await type('bug')];

  expect(answers.map(({ choices }) => choices)).toEqual([[], []]);
  const answered = fixture.lines.filter((line) => / (warn|error) /.test(line));
  expect(answered).toEqual([expect.stringContaining('a bug of ours')]);
});

test('suggestions with the same name are shown with their values, and repeated ones once', async () => {
  await using fixture = await openBotConnection();
  await fixture.online.client;

  const { choices } = await fixture.discord.interact({
    user: fixture.discord.people[0],
    channel: 'general',
    command: 'echo',
    options: { text: 'twins' },
    autocomplete: true,
  });

  expect(choices).toEqual([
    { name: 'Twin · a', value: 'a' },
    { name: 'twin · b', value: 'b' },
    { name: 'other', value: 'other' },
  ]);
});

/** The logged uses, without the time. */
function uses({ lines }: BotFixture): readonly string[] {
  return lines.filter((line) => line.includes('outcome=')).map((line) => line.replace(/^\S+ info +/u, '').trim());
}

test('the log has one line per interaction: user, server, command, options and outcome', async () => {
  await using fixture = await openBot({ settings: { roles: { look: ['Moderator'] } } });
  const [owner, , member] = fixture.discord.people;
  const command = { channel: 'general', command: 'game streams' };

  await fixture.discord.interact({ ...command, user: owner, options: { game: 'Just Chatting' } });
  await fixture.discord.interact({ ...command, user: owner, options: { game: 'Nobody Plays This' } });
  await fixture.discord.interact({ ...command, user: member, options: { game: 'Chess' }, forged: true });

  const by = (name: string): string => `by="${name} (\\d+)" in=discord`.replace('(\\d+)', '\\(\\d+\\)');
  await expect
    .poll(() => uses(fixture))
    .toEqual([
      expect.stringMatching(new RegExp(`^/game streams game:"Just Chatting" ${by(owner)} outcome=done$`)),
      expect.stringMatching(new RegExp(`^/game streams game:"Nobody Plays This" ${by(owner)} outcome=failed$`)),
      expect.stringMatching(new RegExp(`^/game streams game:Chess ${by(member)} outcome=refused$`)),
    ]);
});

test('typed text cannot add lines to the log or make them long', async () => {
  await using fixture = await openBot();
  const [owner] = fixture.discord.people;
  const game = `x\n2026-11-20T18:00:00Z info /automation pause outcome=done ${'y'.repeat(130)}`;

  await fixture.discord.interact({ channel: 'general', command: 'game streams', user: owner, options: { game } });

  await expect.poll(() => uses(fixture)).toHaveLength(1);
  const [line] = uses(fixture);
  expect(line?.length).toBeLessThan(250);
  expect(line).toMatch(/^\/game streams game:"x 2026.*…" by=.*outcome=failed$/u);
});

test('private questions are not logged', async () => {
  await using fixture = await openBot();
  const [owner] = fixture.discord.people;

  await fixture.discord.interact({ channel: 'general', command: 'ask', user: owner, options: { text: 'my sorrows', private: true } });

  await expect.poll(() => uses(fixture)).toEqual([expect.stringMatching(/^\/ask private:true by=/u)]);
  expect(fixture.lines.join('')).not.toContain('sorrows');
});

test('the log has buttons and forms', async () => {
  await using fixture = await openBot({ onAnswer: async () => ({ needed: 1, answers: [] }) });
  const [owner] = fixture.discord.people;
  const { id: message } = await fixture.discord.order<{ id: string }>('/discord/messages', {
    user: owner,
    channel: 'general',
    content: 'hi',
  });

  await fixture.discord.interact({ user: owner, message, customId: 'answer:k:0', forged: true });
  await fixture.discord.interact({ user: owner, message, forgedForm: 'answer:k:own', fields: { text: 'In my\nown words' } });
  await expect.poll(() => uses(fixture)).toHaveLength(2);

  expect(uses(fixture)).toEqual([
    expect.stringMatching(/^button answer:k:0 by=/u),
    expect.stringMatching(/^form answer:k:own text:"In my own words" by=/u),
  ]);
});

test.each([
  [10_062, 'Unknown interaction'],
  [40_060, 'Interaction has already been acknowledged.'],
  [50_027, 'Invalid Webhook Token'],
])('a response that Discord takes no longer (%i) is no defect of Fanfare, and is not repeated', async (code, message) => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
  let answers = 0;
  const late = async (): Promise<never> => {
    answers++;
    throw new DiscordAPIError({ code, message }, code, 404, 'POST', 'https://discord.com/api/v10/interactions', {});
  };
  const interaction = {
    isAutocomplete: () => false,
    isChatInputCommand: () => true,
    isCommand: () => true,
    isModalSubmit: () => false,
    commandName: 'echo',
    options: { data: [], getSubcommand: () => null, getBoolean: () => null },
    reply: late,
  } as unknown as ChatInputCommandInteraction; // nothing else is read
  const caller = { id: '42', name: 'ada', server: undefined, scope: undefined, texts: en, may: () => true } as unknown as Caller; // as above
  const echo: SlashCommand = {
    needs: 'look',
    data: { name: 'echo', description: 'Echoes' },
    run: async (one) => void (await one.reply('Hello')),
  };
  const handle = dispatcher({
    commands: [echo],
    callerOf: () => caller,
    log,
    signal: new AbortController().signal,
  });

  await handle(interaction);

  expect(answers).toBe(1);
  expect(lines).toEqual([expect.stringMatching(/ info .*\/echo .*outcome=failed reason=/u)]);
});

test.for(['en-US', 'de'] as const)('in %s, a command that no longer exists is no button of an earlier version', async (locale) => {
  const texts = textsFor(locale);
  const replies: unknown[] = [];
  const interaction = {
    isAutocomplete: () => false,
    isChatInputCommand: () => true,
    isModalSubmit: () => false,
    commandName: 'removed',
    options: { data: [], getSubcommand: () => null },
    reply: (message: unknown) => Promise.resolve(replies.push(message)),
  } as unknown as ChatInputCommandInteraction; // nothing else is read
  const caller = { id: '42', name: 'ada', server: undefined, scope: undefined, texts, may: () => true } as unknown as Caller; // as above
  const handle = dispatcher({ commands: [], callerOf: () => caller, log: silentLog, signal: new AbortController().signal });

  await handle(interaction);

  expect(replies).toMatchObject([{ content: texts.errors.commandGone }]);
});
