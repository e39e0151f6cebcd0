import {
  type ChatInputCommandInteraction,
  type MessageComponentInteraction,
  MessageFlags,
  PermissionFlagsBits,
  PermissionsBitField,
} from 'discord.js';
import { expect, test } from 'vitest';
import { systemClock } from '#src/clock.ts';
import type { Caller } from '#src/discord/caller.ts';
import type { SlashCommand } from '#src/discord/command.ts';
import { askCommand } from '#src/discord/commands/ask.ts';
import { pingsCommand } from '#src/discord/commands/pings.ts';
import { showPage } from '#src/discord/controls/command-reply.ts';
import { en } from '#src/discord/language/en/index.ts';
import { lookupCommand } from '#src/discord/lookups/lookup-command.ts';
import { postComponents } from '#src/discord/posting/buttons.ts';
import { ruleCommand } from '#src/discord/rule-commands/rule-command.ts';

const { SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
const caller = {
  id: '42',
  texts: en,
  publicTexts: en,
  locale: 'en-US',
  publicLocale: 'en-US',
  server: { account: 'discord', id: '7', zone: 'UTC' },
  may: () => true,
} as unknown as Caller; // nothing else is read

/** A click of a member with these permissions in a channel, and what everyone sees afterwards. */
function clickOf(permissions: bigint, isThread: boolean) {
  const posted: unknown[] = [];
  const rest = {
    get: async (route: string) => (route.includes('/members/') ? { roles: [] } : { id: '7', owner_id: '1', roles: [ROLE] }),
    post: async (_: string, { body }: { readonly body: unknown }) => posted.push(body),
  };
  const interaction = {
    customId: 'deliveries:page:0:share',
    channelId: '8',
    channel: { isThread: () => isThread },
    client: { rest, user: { id: '9' } },
    memberPermissions: new PermissionsBitField(permissions),
    message: { flags: { has: () => true }, interactionMetadata: { user: { id: '42' } } },
    reply: async (answer: unknown) => posted.push(answer),
    update: async () => undefined,
  } as unknown as MessageComponentInteraction; // as above
  return { interaction, posted };
}

const ROLE = { id: '7', position: 0, permissions: '0' };
const view = { title: undefined, fields: [], load: async () => ({ content: 'Ada is live.', embeds: [], more: false }) };
const references = { write: async () => '?', read: async () => ({}) };
const [lookup] = lookupCommand({
  title: ({ lookups }) => lookups.live,
  views: [view],
  references,
  limit: () => undefined,
  limitSearches: () => undefined,
  clock: systemClock,
});
const pings = pingsCommand({ controls: {}, storedServers: {}, clock: systemClock } as never); // the button uses nothing else

const POSTS: readonly (readonly [string, (interaction: MessageComponentInteraction) => Promise<unknown> | undefined])[] = [
  ['the answer of an operator', (interaction) => showPage(interaction, caller, systemClock, async () => ({ content: 'A page.' }))],
  ['a look-up', (interaction) => lookup?.components?.['']?.(interaction, ['share', '0', '?'], caller)],
  ['the menu of pings', (interaction) => pings.components?.['post']?.(interaction, [], caller)],
];

test.for(POSTS)('%s is shown to everyone only in a channel where the member can send messages', async ([, post]) => {
  for (const [permissions, isThread] of [
    [0n, false],
    [SendMessagesInThreads, false],
    [SendMessages, true],
  ] as const) {
    const { interaction, posted } = clickOf(permissions, isThread);
    await expect(post(interaction)).rejects.toThrow(en.errors.cannotSendHere);
    expect(posted).toEqual([]);
  }
  for (const [permissions, isThread] of [
    [SendMessages, false],
    [SendMessagesInThreads, true],
  ] as const) {
    const { interaction, posted } = clickOf(permissions, isThread);
    await post(interaction);
    expect(posted).toHaveLength(1);
  }
});

const points = { findMessage: async () => undefined, findLocation: async () => undefined };
const command = { name: 'latest', about: 'Shows it', options: [], isPublic: true, accounts: [], roles: undefined };

/** The commands that answer everyone in the channel. */
const ANSWERED: readonly (readonly [string, SlashCommand])[] = [
  ['/ask', askCommand({ responder: { answer: async () => undefined }, points, messageAccess: () => 'nothing' } as never)],
  [
    'the command of a rule',
    ruleCommand({ rule: 'latest', command } as never, { count: () => undefined, run: async () => ({ isAnswered: true }) } as never),
  ],
];

test.for(ANSWERED)('%s answers everyone only in a channel where the member can send messages', async ([, answered]) => {
  const flagsWith = async (permissions: bigint | undefined, isThread: boolean | undefined): Promise<unknown> => {
    let deferred: { readonly flags?: MessageFlags } = {};
    const interaction = {
      id: '1',
      user: { id: '42', username: 'ada' },
      channelId: '8',
      channel: isThread === undefined ? null : { isThread: () => isThread },
      options: { data: [], getString: () => 'Hello', getBoolean: () => null },
      memberPermissions: permissions === undefined ? null : new PermissionsBitField(permissions),
      deferReply: async (options: typeof deferred) => void (deferred = options),
    } as unknown as ChatInputCommandInteraction; // nothing else is read
    await answered.run(interaction, caller);
    return deferred.flags;
  };

  expect([await flagsWith(0n, false), await flagsWith(SendMessagesInThreads, false), await flagsWith(SendMessages, true)]).toEqual([
    MessageFlags.Ephemeral,
    MessageFlags.Ephemeral,
    MessageFlags.Ephemeral,
  ]);
  // The bot does not know a private thread.
  expect(await flagsWith(SendMessages, undefined)).toBe(MessageFlags.Ephemeral);
  expect(await flagsWith(SendMessages | SendMessagesInThreads, undefined)).toBeUndefined();
  // Direct messages have no permissions.
  expect([await flagsWith(SendMessages, false), await flagsWith(SendMessagesInThreads, true), await flagsWith(undefined, false)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test.for([
  [SendMessages, '8'],
  [0n, undefined],
] as const)(
  'the failure of a scheduled post is reported only in a channel where its author can send messages: %s',
  async ([permissions, channel]) => {
    const draft = {
      id: 'd1',
      owner: '42',
      server: '7',
      zone: 'UTC',
      when: { at: new Date(Date.now() + 60_000) },
      text: 'Hello',
      accounts: [],
    };
    const sent: unknown[] = [];
    const posting = {
      find: async () => undefined,
      drafts: { find: async () => draft },
      async send(_: unknown, { failureNotice }: { readonly failureNotice?: { readonly channel: string } }) {
        sent.push(failureNotice?.channel);
        return { ...draft, by: { id: '42', name: 'ada' }, at: draft.when.at, targets: [] };
      },
    };
    const interaction = {
      channelId: '8',
      channel: { isThread: () => false },
      memberPermissions: new PermissionsBitField(permissions),
      deferUpdate: async () => undefined,
      editReply: async () => undefined,
    } as unknown as MessageComponentInteraction; // nothing else is read

    await postComponents({ posting, clock: systemClock } as never).components['send']?.(interaction, ['d1'], caller); // as above

    expect(sent).toEqual([channel]);
  },
);
