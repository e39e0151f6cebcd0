import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  EmbedBuilder,
  Events,
  GatewayIntentBits,
  MessageFlags,
  ModalBuilder,
  Partials,
  Routes,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
  UserSelectMenuBuilder,
  type Client,
  type Interaction,
} from 'discord.js';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { startDiscordSandbox, type DiscordSandbox } from '../../support/discord-sandbox.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';

const STRING = 3;
const commands = [
  {
    name: 'game',
    description: 'Games',
    options: [
      {
        type: 1,
        name: 'streams',
        description: 'Who streams a game',
        options: [
          { type: STRING, name: 'game', description: 'Which', required: true, autocomplete: true },
          { type: 4, name: 'most', description: 'How many', min_value: 1, max_value: 10 },
          { type: 6, name: 'user', description: 'Who' },
        ],
      },
    ],
  },
  { name: 'go', description: 'Go' },
  { name: 'tidy', description: 'For those who may manage messages', default_member_permissions: '8192' },
];

/** A bot with the commands that answers as it is told. */
async function loginWith(discord: DiscordSandbox, answer: (interaction: Interaction) => unknown): Promise<Client<true>> {
  const client = await discord.login();
  await client.rest.put(Routes.applicationGuildCommands(client.application.id, discord.guildId), { body: commands });
  client.on(Events.InteractionCreate, (interaction) => void Promise.resolve(answer(interaction)));
  return client;
}

const button = (label: string) =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(new ButtonBuilder().setCustomId(label).setLabel(label).setStyle(ButtonStyle.Primary));

describe('a typed command', () => {
  test('reaches the bot with its options, and its answer is a message that all can read', async () => {
    await using discord = await startDiscordSandbox();
    const [, , user] = discord.people;
    await loginWith(discord, (interaction) => {
      if (!interaction.isChatInputCommand()) return undefined;
      const { options } = interaction;
      const text = [options.getSubcommand(), options.getString('game'), options.getInteger('most'), options.getUser('user')?.username].join(
        ' ',
      );
      return interaction.reply({ embeds: [new EmbedBuilder().setTitle(text)] });
    });

    const result = await discord.interact({ user, channel: 'general', command: 'game streams', options: { game: 'Chess', most: 3, user } });

    expect(result).toMatchObject({
      outcome: 'message',
      deferred: false,
      ephemeral: false,
      answeredInMs: expect.any(Number),
      message: { author: 'Fanfare', channel: { name: 'general' }, embeds: [{ title: `streams Chess 3 ${user}` }] },
    });
    expect(await discord.messages('general')).toMatchObject([{ interaction: result.id }]);
  });

  test('can be answered later: the placeholder becomes the answer', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(discord, async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      await interaction.deferReply();
      await interaction.editReply('first');
      await interaction.editReply('second');
    });

    const result = await discord.interact({ user: discord.people[2], channel: 'general', command: 'go' });

    expect(result).toMatchObject({ outcome: 'message', deferred: true, message: { loading: false } });
    await expect.poll(() => discord.messages('general')).toMatchObject([{ content: 'second', history: [{ content: 'first' }] }]);
  });

  test('that nobody but the person shall see is answered so, and stays out of the history', async () => {
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

  test('is told to a bot that asked for direct messages, where only the person sees the answer', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(
      discord,
      (interaction) => interaction.isChatInputCommand() && interaction.reply({ content: 'hush', flags: MessageFlags.Ephemeral }),
    );
    const { Guilds, DirectMessages, GuildMessages } = GatewayIntentBits;
    const [direct, others] = [
      await discord.login({ intents: [Guilds, DirectMessages], partials: [Partials.Channel] }),
      await discord.login({ intents: [Guilds, GuildMessages] }),
    ];
    const told: string[] = [];
    others.on(Events.MessageCreate, ({ content }) => told.push(content));
    const heard = once(direct, Events.MessageCreate);

    await discord.interact({ user: discord.people[1], channel: 'general', command: 'tidy' });

    expect((await heard)[0]).toMatchObject({ content: 'hush' });
    expect(told).toEqual([]);
  });

  test('can be followed up, and the answer fetched and deleted', async () => {
    await using discord = await startDiscordSandbox();
    const done = Promise.withResolvers<string>();
    await loginWith(discord, async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      await interaction.reply('one');
      await interaction.followUp('two');
      done.resolve((await interaction.fetchReply()).content);
      await interaction.deleteReply();
    });

    const { id } = await discord.interact({ user: discord.people[2], channel: 'general', command: 'go' });

    expect(await done.promise).toBe('one');
    await expect
      .poll(() => discord.order(`/discord/interactions/${id}`, undefined))
      .toMatchObject({ message: { content: 'one', deletedAt: expect.any(String) }, followUps: [{ content: 'two' }] });
  });

  test('gives the bot its message at once where it asks for it', async () => {
    await using discord = await startDiscordSandbox();
    const told = Promise.withResolvers<unknown>();
    await loginWith(discord, async (interaction) => {
      if (interaction.isChatInputCommand())
        told.resolve((await interaction.reply({ content: 'one', withResponse: true })).resource?.message?.content);
    });

    await discord.interact({ user: discord.people[2], channel: 'general', command: 'go' });

    expect(await told.promise).toBe('one');
  });

  test('pings only users by its answer, unless the answer says more', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(discord, (interaction) => interaction.isChatInputCommand() && interaction.reply(`@everyone <@${interaction.user.id}>`));

    const { message } = await discord.interact({ user: discord.people[2], channel: 'general', command: 'go' });

    expect(message?.pinged).toEqual({ everyone: false, roles: [], users: [discord.people[2]] });
  });

  test.for([
    ['lacks what is required', { command: 'game streams' }, 'the option game is required'],
    ['goes beyond a bound', { command: 'game streams', options: { game: 'a', most: 11 } }, 'a number from 1 to 10'],
    ['is not registered', { command: 'nothing' }, 'there is no command /nothing; there are /game, /go, /tidy'],
    ['stops before its subcommand', { command: 'game' }, '/game needs one of streams'],
    ['is for others', { command: 'tidy' }, '/tidy is not for'],
    ['has an option too many', { command: 'go', options: { far: true } }, '/go has no option far'],
    ['comes from a channel that the person does not see', { command: 'go', channel: 'moderators' }, 'may not do this in #moderators'],
  ] as const)('is not sent where it %s', async ([, order, words]) => {
    await using discord = await startDiscordSandbox();
    await loginWith(discord, () => undefined);

    const refused = discord.interact({ user: discord.people[2], channel: 'general', ...order });

    await expect(refused).rejects.toThrow(words);
  });
});

describe('an interaction without an answer', () => {
  test('fails after three seconds, and then takes none', async () => {
    const clock = new ManualClock();
    await using discord = await startDiscordSandbox({ clock });
    const client = await loginWith(discord, () => undefined);
    const heard = once(client, Events.InteractionCreate);

    const result = await whileSleeping(clock, discord.interact({ user: discord.people[2], channel: 'general', command: 'go' }));

    expect(result).toMatchObject({ outcome: 'failed', error: 'The application did not respond' });
    const [interaction]: Interaction[] = await heard;
    await clock.advance(1);
    await expect(interaction?.isChatInputCommand() && interaction.reply('late')).rejects.toMatchObject({ status: 404, code: 10_062 });
    expect(clock.sleeping).toBe(0);
  });

  test('takes one answer only', async () => {
    await using discord = await startDiscordSandbox();
    const client = await loginWith(discord, () => undefined);
    const heard = once(client, Events.InteractionCreate);
    const result = discord.interact({ user: discord.people[2], channel: 'general', command: 'go' });
    const [interaction]: Interaction[] = await heard;
    const callback = `/interactions/${interaction?.id}/${interaction?.token}/callback`;

    const malformed = await discord.request('POST', callback, { type: 4, data: {} });
    const first = await discord.request('POST', callback, { type: 4, data: { content: 'one' } });
    const second = await discord.request('POST', callback, { type: 4, data: { content: 'two' } });

    expect([malformed.status, first.status, second.status]).toEqual([400, 204, 400]);
    expect(await second.json()).toMatchObject({ code: 40_060 });
    expect((await result).message?.content).toBe('one');
  });

  test('has no webhook; after a quarter of an hour an answered one has none, either', async () => {
    const clock = new ManualClock();
    await using discord = await startDiscordSandbox({ clock });
    const client = await loginWith(discord, (interaction) => interaction.isChatInputCommand() && interaction.reply('one'));
    const heard = once(client, Events.InteractionCreate);
    await discord.interact({ user: discord.people[2], channel: 'general', command: 'go' });
    const [interaction]: Interaction[] = await heard;

    await clock.advance(15 * 60_000 + 1);

    await expect(interaction?.isChatInputCommand() && interaction.editReply('late')).rejects.toMatchObject({ status: 401, code: 50_027 });
    await expect(discord.rest().get(Routes.webhookMessage(client.application.id, 'token'))).rejects.toMatchObject({ code: 10_015 });
  });
});

describe('autocomplete', () => {
  test('gives what the bot offers for what is typed so far', async () => {
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

  test('takes 25 choices and no more', async () => {
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

describe('components', () => {
  test('a button changes the message that it is on', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(discord, (interaction) => {
      if (interaction.isButton())
        return interaction.update({ content: `${interaction.user.username} pressed ${interaction.customId}`, components: [] });
      return interaction.isChatInputCommand() && interaction.reply({ content: 'press', components: [button('send')] });
    });
    const [, user, other] = discord.people;
    const { message } = await discord.interact({ user, channel: 'moderators', command: 'go' });

    const result = await discord.interact({ user, message: message?.id, customId: 'send' });

    expect(result).toMatchObject({
      outcome: 'update',
      message: { id: message?.id, content: `${user} pressed send`, history: [{ content: 'press' }] },
    });
    await expect(discord.interact({ user, message: message?.id, customId: 'send' })).rejects.toThrow('the message has no send');
    await expect(discord.interact({ user: other, message: message?.id, customId: 'send' })).rejects.toThrow('may not do this');
  });

  test('a button can be acknowledged first, and answered by another message', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(discord, async (interaction) => {
      if (interaction.isChatInputCommand()) await interaction.reply({ content: 'press', components: [button('send')] });
      if (!interaction.isButton()) return;
      await interaction.deferUpdate();
      await interaction.editReply({ content: 'pressed', components: [] });
      await interaction.followUp({ content: 'thanks', flags: MessageFlags.Ephemeral });
    });
    const user = discord.people[2];
    const { message } = await discord.interact({ user, channel: 'general', command: 'go' });

    const { id, outcome, deferred } = await discord.interact({ user, message: message?.id, customId: 'send' });

    expect([outcome, deferred]).toEqual(['update', true]);
    await expect
      .poll(() => discord.order(`/discord/interactions/${id}`, undefined))
      .toMatchObject({ message: { content: 'pressed' }, followUps: [{ content: 'thanks', ephemeral: true, replyTo: message?.id }] });
  });

  test('selects give what was chosen, users by their names', async () => {
    await using discord = await startDiscordSandbox();
    const rows = [
      new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
        new StringSelectMenuBuilder().setCustomId('game').addOptions({ label: 'Chess', value: 'chess' }, { label: 'Go', value: 'go' }),
      ),
      new ActionRowBuilder<UserSelectMenuBuilder>().addComponents(new UserSelectMenuBuilder().setCustomId('who')),
    ];
    await loginWith(discord, (interaction) => {
      if (interaction.isStringSelectMenu()) return interaction.reply(interaction.values.join());
      if (interaction.isUserSelectMenu()) return interaction.reply(interaction.users.map(({ username }) => username).join());
      return interaction.isChatInputCommand() && interaction.reply({ components: rows });
    });
    const user = discord.people[2];
    const { message } = await discord.interact({ user, channel: 'general', command: 'go' });

    const game = await discord.interact({ user, message: message?.id, customId: 'game', values: ['go'] });
    const who = await discord.interact({ user, message: message?.id, customId: 'who', values: [discord.people[0]] });

    expect([game.message?.content, who.message?.content]).toEqual(['go', discord.people[0]]);
    await expect(discord.interact({ user, message: message?.id, customId: 'game', values: ['chess', 'go'] })).rejects.toThrow(
      'takes 1 to 1 values',
    );
  });

  test('a modal is opened, filled in and sent', async () => {
    await using discord = await startDiscordSandbox();
    const field = new TextInputBuilder().setCustomId('text').setLabel('Text').setStyle(TextInputStyle.Short);
    const modal = new ModalBuilder()
      .setCustomId('draft')
      .setTitle('Draft')
      .addComponents(new ActionRowBuilder<TextInputBuilder>().addComponents(field));
    await loginWith(discord, (interaction) => {
      if (interaction.isModalSubmit()) return interaction.reply(`${interaction.customId}: ${interaction.fields.getTextInputValue('text')}`);
      return interaction.isChatInputCommand() && interaction.showModal(modal);
    });
    const user = discord.people[2];
    const opened = await discord.interact({ user, channel: 'general', command: 'go' });

    const sent = await discord.interact({ user, modal: opened.id, fields: { text: 'hello' } });

    expect(opened).toMatchObject({ outcome: 'modal', modal: { customId: 'draft', title: 'Draft' } });
    expect(sent).toMatchObject({ outcome: 'message', message: { content: 'draft: hello' } });
    await expect(discord.interact({ user, modal: opened.id })).rejects.toThrow('the field text is required');
  });

  test('an ephemeral message can be used by nobody but the person who asked', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(
      discord,
      (interaction) =>
        interaction.isChatInputCommand() &&
        interaction.reply({ content: 'hush', components: [button('send')], flags: MessageFlags.Ephemeral }),
    );
    const [, other, user] = discord.people;
    const { message } = await discord.interact({ user, channel: 'general', command: 'go' });

    await expect(discord.interact({ user: other, message: message?.id, customId: 'send' })).rejects.toThrow(
      'only who asked sees this message',
    );
  });

  test('of one message need different ids', async () => {
    await using discord = await startDiscordSandbox();
    const { components } = { components: [button('a').toJSON(), button('a').toJSON()] };

    const refused = discord.rest().post(`/channels/${discord.channelIds.get('live')}/messages`, { body: { components } });

    await expect(refused).rejects.toThrow('COMPONENT_CUSTOM_ID_DUPLICATED');
  });
});
