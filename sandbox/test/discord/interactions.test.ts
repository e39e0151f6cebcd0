import {
  EmbedBuilder,
  Events,
  GatewayIntentBits,
  MessageFlags,
  Partials,
  Routes,
  type ChatInputCommandInteraction,
  type Interaction,
} from 'discord.js';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { loginWith } from '../../../test/support/discord-commands.ts';
import { startDiscordSandbox } from '../../../test/support/discord-sandbox.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { slowRequest } from '../../../test/support/slow-request.ts';
import { whileSleeping } from '../../../test/support/while-sleeping.ts';

describe('a typed command', () => {
  test('reaches the bot with its options, and the answer is a public message', async () => {
    await using discord = await startDiscordSandbox();
    const [, , user] = discord.people;
    await loginWith(discord, (interaction) => {
      if (!interaction.isChatInputCommand()) return undefined;
      const { options } = interaction;
      const text = [options.getSubcommand(), options.getString('game'), options.getString('count'), options.getBoolean('live')].join(' ');
      return interaction.reply({ embeds: [new EmbedBuilder().setTitle(text)] });
    });

    const result = await discord.interact({
      user,
      channel: 'general',
      command: 'game streams',
      options: { game: 'Chess', count: 'three', live: true },
    });

    expect(result).toMatchObject({
      outcome: 'message',
      deferred: false,
      ephemeral: false,
      answeredInMs: expect.any(Number),
      message: { author: 'Fanfare', channel: { name: 'general' }, embeds: [{ title: 'streams Chess 3 true' }] },
    });
    expect(await discord.messages('general')).toMatchObject([{ interaction: result.id }]);
  });

  test('can have an ephemeral answer, which the history does not contain', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(
      discord,
      (interaction) => interaction.isChatInputCommand() && interaction.reply({ content: 'hush', flags: MessageFlags.Ephemeral }),
    );

    const result = await discord.interact({ user: discord.people[2], channel: 'general', command: 'go' });
    const history = await (await discord.request('GET', `/channels/${discord.channelIds.get('general')}/messages`)).json();

    expect(result).toMatchObject({ outcome: 'message', ephemeral: true, message: { content: 'hush', ephemeral: true } });
    expect(history).toEqual([]);
  });

  test('with an ephemeral answer sends MESSAGE_CREATE only with the intent for direct messages', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(
      discord,
      (interaction) => interaction.isChatInputCommand() && interaction.reply({ content: 'hush', flags: MessageFlags.Ephemeral }),
    );
    const { Guilds, DirectMessages, GuildMessages } = GatewayIntentBits;
    const [direct, other] = [
      await discord.login({ intents: [Guilds, DirectMessages], partials: [Partials.Channel] }),
      await discord.login({ intents: [Guilds, GuildMessages] }),
    ];
    const others: string[] = [];
    other.on(Events.MessageCreate, ({ content }) => others.push(content));
    const received = once(direct, Events.MessageCreate);

    await discord.interact({ user: discord.people[1], channel: 'general', command: 'moderate' });

    expect((await received)[0]).toMatchObject({ content: 'hush' });
    expect(others).toEqual([]);
  });

  test('can be followed up, and the answer deleted', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(discord, async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      await interaction.reply('one');
      await interaction.followUp('two');
      await interaction.deleteReply();
    });

    const { id } = await discord.interact({ user: discord.people[2], channel: 'general', command: 'go' });

    await expect
      .poll(() => discord.order(`/discord/interactions/${id}`, undefined))
      .toMatchObject({ message: { content: 'one', deletedAt: expect.any(String) }, followUps: [{ content: 'two' }] });
  });

  test('pings only users in its answer by default', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(discord, (interaction) => interaction.isChatInputCommand() && interaction.reply(`@everyone <@${interaction.user.id}>`));

    const { message } = await discord.interact({ user: discord.people[2], channel: 'general', command: 'go' });

    expect(message?.pinged).toEqual({ everyone: false, roles: [], users: [discord.people[2]] });
  });

  test.for([
    ['lacks a required option', { command: 'game streams' }, 'options.game: required'],
    [
      'has a value that is no choice',
      { command: 'game streams', options: { game: 'a', count: 'ten' } },
      'options.count: unknown choice \\"ten\\". Allowed: three',
    ],
    ['is not registered', { command: 'nothing' }, 'command: unknown command \\"nothing\\". Allowed: game, go, moderate'],
    ['stops before its subcommand', { command: 'game' }, 'command: /game needs a subcommand. Allowed: streams'],
    ['requires other permissions', { command: 'moderate' }, '/moderate is not for linus, who does not have'],
    ['has an unknown option', { command: 'go', options: { far: true } }, 'options: unknown option \\"far\\" of /go. Allowed: none'],
    ['comes from a channel that the person cannot see', { command: 'go', channel: 'moderators' }, 'may not do this in #moderators'],
  ] as const)('is not sent if it %s', async ([, order, words]) => {
    await using discord = await startDiscordSandbox();
    await loginWith(discord, () => undefined);

    const refused = discord.interact({ user: discord.people[2], channel: 'general', ...order });

    await expect(refused).rejects.toThrow(words);
  });
});

describe('an interaction without an answer', () => {
  test('fails after three seconds, and then refuses answers', async () => {
    const clock = new ManualClock();
    await using discord = await startDiscordSandbox({ clock });
    const client = await loginWith(discord, () => undefined);
    const received = once(client, Events.InteractionCreate);

    const openedMs = clock.nowMs();
    const result = await whileSleeping(clock, discord.interact({ user: discord.people[2], channel: 'general', command: 'go' }));

    expect(clock.nowMs() - openedMs).toBe(3000);
    expect(result).toMatchObject({ outcome: 'failed', error: 'The application did not respond' });
    const [interaction]: Interaction[] = await received;
    await clock.advance(1);
    await expect(interaction?.isChatInputCommand() && interaction.reply('late')).rejects.toMatchObject({ status: 404, code: 10_062 });
    expect(clock.sleeping).toBe(0);
  });

  test('accepts only one answer', async () => {
    await using discord = await startDiscordSandbox();
    const client = await loginWith(discord, () => undefined);
    const received = once(client, Events.InteractionCreate);
    const result = discord.interact({ user: discord.people[2], channel: 'general', command: 'go' });
    const [interaction]: Interaction[] = await received;
    const callback = `/interactions/${interaction?.id}/${interaction?.token}/callback`;

    const malformed = await discord.request('POST', callback, { type: 4, data: {} });
    const first = await discord.request('POST', callback, { type: 4, data: { content: 'one' } });
    const second = await discord.request('POST', callback, { type: 4, data: { content: 'two' } });

    expect([malformed.status, first.status, second.status]).toEqual([400, 204, 400]);
    expect(await second.json()).toMatchObject({ code: 40_060 });
    expect((await result).message?.content).toBe('one');
  });

  test('accepts only one answer, even if the request of another answer started before', async () => {
    await using discord = await startDiscordSandbox();
    const client = await loginWith(discord, () => undefined);
    const received = once(client, Events.InteractionCreate);
    const result = discord.interact({ user: discord.people[2], channel: 'general', command: 'go' });
    const [interaction]: Interaction[] = await received;
    const callback = `/interactions/${interaction?.id}/${interaction?.token}/callback`;
    const slow = await slowRequest(`${discord.sandbox.environment['DISCORD_API_URL']}/v10${callback}`, { method: 'POST' });

    const fast = await discord.request('POST', callback, { type: 4, data: { content: 'fast' } });
    const late = await slow.end({ type: 4, data: { content: 'slow' } });

    expect([fast.status, late]).toEqual([204, 400]);
    expect((await result).message?.content).toBe('fast');
    expect(await discord.messages()).toHaveLength(1);
  });

  test('has no webhook; the webhook of an answered interaction expires after 15 minutes', async () => {
    const clock = new ManualClock();
    await using discord = await startDiscordSandbox({ clock });
    const answered = Promise.withResolvers<ChatInputCommandInteraction>();
    const client = await loginWith(discord, async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      await interaction.reply('one');
      answered.resolve(interaction);
    });
    await discord.interact({ user: discord.people[2], channel: 'general', command: 'go' });
    const interaction = await answered.promise;

    await clock.advance(15 * 60_000 + 1);

    await expect(interaction.editReply('late')).rejects.toMatchObject({ status: 401, code: 50_027 });
    await expect(discord.rest().patch(Routes.webhookMessage(client.application.id, 'token'))).rejects.toMatchObject({ code: 10_015 });
  });
});

describe('autocomplete', () => {
  test('returns the choices of the bot for the typed text', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(discord, (interaction) => {
      if (!interaction.isAutocomplete()) return undefined;
      const typed = interaction.options.getFocused();
      return interaction.respond([{ name: `${typed}ess`, value: 'Chess' }]);
    });

    const result = await discord.interact({
      user: discord.people[2],
      channel: 'general',
      command: 'game streams',
      options: { game: 'Ch' },
      autocomplete: true,
      focused: 'game',
    });

    expect(result).toMatchObject({ outcome: 'choices', choices: [{ name: 'Chess', value: 'Chess' }] });
  });

  test('accepts at most 25 choices', async () => {
    await using discord = await startDiscordSandbox();
    const choices = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `${index}`, value: `${index}` }));
    const refused = Promise.withResolvers<unknown>();
    await loginWith(discord, async (interaction) => {
      if (!interaction.isAutocomplete()) return;
      await interaction.respond(choices(26)).catch(refused.resolve);
    });

    void discord
      .interact({ user: discord.people[2], channel: 'general', command: 'game streams', autocomplete: true, focused: 'game' })
      .catch(() => undefined);

    expect(await refused.promise).toMatchObject({ code: 50_035, message: expect.stringContaining('25 or fewer') });
  });
});
