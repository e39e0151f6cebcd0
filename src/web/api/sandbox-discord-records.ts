import { z } from 'zod';
import { Embed } from '#src/clients/chat/records.ts';

const id = z.string().describe('The id.');
const name = z.string().describe('The name.');

const place = {
  id,
  name,
  kind: z.enum(['text', 'news', 'forum', 'media', 'voice']).describe('The kind of the channel.'),
  parent: z.string().describe('The id of the channel of a thread; absent for a channel.').optional(),
};

/** A member of the simulated Discord. */
const SandboxMember = z
  .object({
    id,
    username: z.string().describe('The handle.'),
    displayName: name,
    bot: z.boolean().describe('Whether it is a bot.'),
    owner: z.boolean().describe('Whether the member owns the server, and thus may do everything.'),
    roles: z.array(z.string()).describe('The ids of the roles.'),
  })
  .meta({ examples: [{ id: '1', username: 'ada', displayName: 'Ada', bot: false, owner: true, roles: [] }] });

const Choice = z.object({
  name: z.string().describe('The text that people see.'),
  value: z.union([z.string(), z.number()]).describe('The value.'),
});

/** A command with its subcommand, in the language of the member. */
const SandboxCommand = z
  .object({
    command: z.string().describe('The command with its subcommand, for example `post now`.'),
    description: z.string().describe('Its description.'),
    options: z
      .array(
        z.object({
          name,
          description: z.string().describe('Its description.'),
          kind: z.enum(['text', 'integer', 'boolean', 'user', 'channel', 'role', 'file']).describe('The kind of its value.'),
          required: z.boolean().describe('Whether the command needs it.'),
          autocomplete: z.boolean().describe('Whether the bot suggests values.'),
          choices: z.array(Choice).describe('The allowed values; empty: all values.'),
        }),
      )
      .describe('The options.'),
  })
  .meta({ examples: [{ command: 'top streams', description: 'The most watched streams', options: [] }] });

const text = (about: string) => z.string().describe(about).optional();

/** A component of a message or a form. The types are the numbers of Discord. */
const SandboxComponent = z
  .object({
    type: z.int().describe('The type, as Discord numbers it: 2 is a button, 3 a menu, 10 a text.'),
    customId: text('The id that the bot gave it; absent if people cannot use it.'),
    label: text('The text of a button, or above a field.'),
    description: text('The explanation below the label.'),
    style: z.int().describe('The style of a button or of a text field.').optional(),
    url: text('The address of a link.'),
    emoji: text('The emoji.'),
    placeholder: text('The text of an empty field.'),
    disabled: z.boolean().describe('Whether it cannot be used now.'),
    required: z.boolean().describe('Whether a form needs a value.'),
    value: text('The text in a field.'),
    minValues: z.int().describe('The fewest values of a menu.'),
    maxValues: z.int().describe('The most values of a menu.'),
    choices: z
      .array(
        z.object({
          value: z.string().describe('The value.'),
          label: z.string().describe('The text.'),
          description: text('The explanation.'),
          emoji: text('The emoji.'),
          chosen: z.boolean().describe('Whether it is chosen at first.'),
        }),
      )
      .describe('The entries of a menu.'),
    channelTypes: z.array(z.int()).describe('The types of channels that a menu offers; empty: all.'),
    defaults: z.array(z.object({ id })).describe('The members, roles or channels that are chosen at first.'),
    content: text('The Markdown of a text.'),
    media: z
      .array(
        z.object({
          url: z.string().describe('The address.'),
          description: text('The description.'),
          spoiler: z.boolean().describe('Whether it is hidden at first.'),
        }),
      )
      .describe('The pictures and files.'),
    color: z.int().describe('The color of the edge.').optional(),
    divider: z.boolean().describe('Whether a separator is a line.'),
    get inner() {
      return z.array(SandboxComponent).describe('The components in it.');
    },
    get accessory() {
      return SandboxComponent.optional();
    },
  })
  .meta({
    examples: [
      {
        type: 2,
        customId: 'top:next',
        label: 'Next',
        style: 2,
        disabled: false,
        required: true,
        minValues: 1,
        maxValues: 1,
        choices: [],
        channelTypes: [],
        defaults: [],
        media: [],
        divider: true,
        inner: [],
      },
    ],
  });

const EXAMPLE_MESSAGE = {
  id: '3',
  at: '2026-11-20T18:00:00.000Z',
  author: { id: '2', name: 'Fanfare', bot: true },
  content: 'Ada is live',
  edited: false,
  ephemeral: false,
  loading: false,
  embeds: [],
  components: [],
  files: [],
  reactions: [],
};

/** A message of the simulated Discord, as a member sees it. */
const SandboxMessage = z
  .object({
    id,
    at: z.iso.datetime().describe('The time of the message.'),
    author: z.object({ id, name, bot: z.boolean().describe('Whether it is a bot.') }).describe('The author.'),
    content: z.string().describe('The text, in Markdown.'),
    edited: z.boolean().describe('Whether it was edited.'),
    ephemeral: z.boolean().describe('Whether only this member sees it.'),
    loading: z.boolean().describe('Whether the bot still works on the answer.'),
    embeds: z.array(Embed).describe('The cards.'),
    components: z.array(SandboxComponent).describe('The buttons, the menus and the other parts.'),
    files: z.array(z.object({ name, url: z.string().describe('The address.') })).describe('The files.'),
    reactions: z
      .array(z.object({ emoji: z.string().describe('The emoji.'), count: z.int().describe('The number of members with it.') }))
      .describe('The reactions.'),
    reply: z
      .object({ author: text('The author; absent if that message was deleted.'), text: text('The beginning of the text.') })
      .describe('The message that it answers.')
      .optional(),
    command: z
      .object({ name: z.string().describe('The command.'), by: z.string().describe('The member who used it.') })
      .describe('The command that it answers.')
      .optional(),
    thread: z.object({ id, name }).describe('The thread of the message.').optional(),
  })
  .meta({ examples: [EXAMPLE_MESSAGE] });

const seen = {
  guild: z.object({ id, name }).describe('The server.'),
  guilds: z.array(z.object({ id, name })).describe('The servers with the bot.'),
  member: SandboxMember.describe('The member whose view it is.'),
  members: z.array(SandboxMember).describe('The members of the server.'),
  roles: z.array(z.object({ id, name })).describe('The roles of the server.'),
  channel: z
    .object({ ...place, topic: text('The topic.'), mayWrite: z.boolean().describe('Whether the member may write here.') })
    .describe('The channel.'),
  channels: z.array(z.object(place)).describe('The channels and threads that the member sees.'),
  commands: z.array(SandboxCommand).describe('The commands that the member may use here.'),
  menus: z.array(z.string()).describe('The entries in the menu of a message.'),
};

/** What a member sees in the simulated Discord, without messages. */
export const SandboxSeen = z.object(seen);

/** A page of messages of the control API. */
export const SandboxHistory = z.object({ items: z.array(SandboxMessage) });

/** A channel of the simulated Discord, as a member sees it. */
const SandboxDiscord = z.object({ ...seen, messages: z.array(SandboxMessage).describe('The last messages, oldest first.') }).meta({
  examples: [
    {
      guild: { id: '1', name: 'Fanfare Sandbox' },
      guilds: [{ id: '1', name: 'Fanfare Sandbox' }],
      member: { id: '1', username: 'ada', displayName: 'Ada', bot: false, owner: true, roles: [] },
      members: [],
      roles: [],
      channel: { id: '5', name: 'general', kind: 'text', mayWrite: true },
      channels: [{ id: '5', name: 'general', kind: 'text' }],
      commands: [],
      menus: [],
      messages: [EXAMPLE_MESSAGE],
    },
  ],
});

/** The first answer of the bot to an interaction. */
export const SandboxInteraction = z
  .object({
    id,
    outcome: z
      .enum(['message', 'update', 'choices', 'modal', 'failed'])
      .describe('The kind of the answer: `update` changes a message, and `failed` means that the bot did not answer within three seconds.'),
    choices: z.array(Choice).describe('What the bot suggests; only of `choices`.').optional(),
    modal: z
      .object({ title: z.string().describe('The title.'), components: z.array(SandboxComponent).describe('The fields.') })
      .describe('The form that the bot opens; only of `modal`.')
      .optional(),
  })
  .meta({ examples: [{ id: '4', outcome: 'choices', choices: [{ name: 'Grace', value: 'twitch/2' }] }] });

export const SandboxWritten = z.object({ message: z.string().describe('The id of the message.') }).meta({ examples: [{ message: '3' }] });

/** The part of the answer of the control API that the page needs. */
export const WrittenMessage = z.object({ id });

/** The records of the simulated Discord. */
export const SANDBOX_DISCORD_RECORDS = {
  SandboxMember,
  SandboxCommand,
  SandboxComponent,
  SandboxMessage,
  SandboxDiscord,
  SandboxInteraction,
  SandboxWritten,
} as const satisfies Readonly<Record<string, z.ZodType>>;
