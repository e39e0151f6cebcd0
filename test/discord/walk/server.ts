import { isDeepStrictEqual } from 'node:util';
import { vi } from 'vitest';
import type { MessageView } from '#sandbox/discord/control/message-view.ts';
import { FOLLOWED } from '#src/rules/lists.ts';
import { ExpectedCards } from './expected-cards.ts';
import { isSameServer, type ExpectedChange, type ExpectedEntry, type ExpectedServer } from './expected-server.ts';
import type { Button } from './members.ts';
import type { Town } from './town.ts';

/** A server of the walk. */
export interface Server {
  readonly id: string;
  readonly channels: readonly string[];
  readonly deleted: Set<string>;
  readonly forbidden: Set<string>;
  readonly role: string;
  /** The ids of the people, and of the roles that can be the live role. */
  readonly members: readonly string[];
  readonly liveRoles: readonly string[];
  hasBot: boolean;
  expected: ExpectedServer;
  readonly cards: ExpectedCards;
  readonly changes: ExpectedChange[];
  /** The buttons that announce a running stream, and the members who see them. */
  readonly announcements: (Button & { readonly streamer: string; readonly by: string })[];
}

/** Creates a server and invites the bot. */
export async function invite({ discord, fanfare }: Town, name: string): Promise<Server> {
  const [owner] = discord.people;
  const { guild } = await discord.order<{ guild: { id: string } }>('/discord/servers', { name, owner });
  await discord.order('/discord/growth', { guild: guild.id, channels: 2, roles: 2 });
  const { channels, roles, members } = await discord.order<{
    channels: readonly { readonly id: string; readonly name: string }[];
    roles: readonly { readonly id: string; readonly name: string }[];
    members: readonly { readonly id: string; readonly username: string }[];
  }>(`/discord?guild=${guild.id}`, undefined);
  await vi.waitFor(
    async () => {
      if (!(await fanfare.store.servers.find(guild.id))) throw new Error('Fanfare does not know the server yet');
    },
    { timeout: 20_000, interval: 2 },
  );
  return {
    id: guild.id,
    channels: channels.flatMap((channel) => (['general', 'stream-alerts'].includes(channel.name) ? [] : [channel.id])),
    deleted: new Set(),
    forbidden: new Set(),
    role: roles.find((role) => role.name === 'Live')?.id ?? '',
    members: discord.people.flatMap((person) => members.find(({ username }) => username === person)?.id ?? []),
    liveRoles: roles.flatMap(({ id, name }) => (name.startsWith('Role ') ? [id] : [])),
    hasBot: true,
    expected: { isOff: false, entries: new Map() },
    cards: new ExpectedCards(),
    changes: [],
    announcements: [],
  };
}

/** What is stored of a server. */
export async function storedOf({ id }: Pick<Server, 'id'>, { fanfare }: Town): Promise<ExpectedServer> {
  const { lists, servers } = fanfare.store;
  const entries = (await lists.entries({ list: FOLLOWED, server: id })) ?? new Map();
  const settings = await servers.find(id);
  const byStreamer = new Map([...entries].map(([key, fields]) => [streamerOf(fields), { ...entryOf(fields), id: key }]));
  if (byStreamer.size < entries.size) throw new Error(`a streamer has two entries: ${shownAs(entries)}`);
  return {
    channel: settings?.channel,
    liveRole: settings?.liveRole,
    isOff: settings?.announcements === 'off',
    entries: byStreamer,
  };
}

/** The announcements in a server, oldest first. */
export async function cardsIn(
  { id }: Pick<Server, 'id'>,
  { discord }: Town,
  streamers: ReadonlyMap<string, string>,
): Promise<readonly { readonly key: string; readonly message: MessageView }[]> {
  const { items } = await discord.order<{ items: readonly MessageView[] }>(`/messages?limit=1000&guild=${id}`, undefined);
  return items.flatMap((message) => {
    const url = JSON.stringify(message.embeds) + JSON.stringify(message.history);
    const handle = message.ephemeral ? undefined : /twitch\.tv\/(\w+)/u.exec(url)?.[1];
    const streamer = handle === undefined ? undefined : streamers.get(handle);
    return streamer === undefined ? [] : [{ key: keyOf({ streamer, channel: message.channel.id }), message }];
  });
}

/** Throws if a server or its messages are not as the test expects. */
export async function checkServer(server: Server, town: Town, streamers: ReadonlyMap<string, string>): Promise<void> {
  const stored = await storedOf(server, town);
  if (!isSameServer(stored, server.expected)) throw new Error(`this was stored: ${shownAs(stored)} instead of ${shownAs(server.expected)}`);
  // Edits of messages older than an hour wait for their turn.
  const isQuiet = (await town.fanfare.store.deliveries.nextDueMs('discord', town.clock.nowMs())) === undefined;
  if (isQuiet) await checkRoles(server, town);
  const there = ({ channel }: { readonly channel: string }): boolean => !server.deleted.has(channel);
  const sent = (await cardsIn(server, town, streamers)).filter(({ message }) => there({ channel: message.channel.id }));
  const wanted = server.cards.all.filter(there);
  const [keys, expected] = [sent.map(({ key }) => key).toSorted(), wanted.map(keyOf).toSorted()];
  if (!isDeepStrictEqual(keys, expected))
    throw new Error(`these cards are there: ${shownAs(keys)} instead of ${shownAs(expected)}\n${town.lines.slice(-12).join('')}`);
  for (const [key, some] of Map.groupBy(wanted, keyOf)) {
    const messages = sent.filter((one) => one.key === key);
    for (const [index, card] of some.entries()) {
      const { content = '', pinged, deletedAt } = messages[index]?.message ?? {};
      if (isQuiet && card.isDeleted !== 'maybe' && (deletedAt !== undefined) !== card.isDeleted)
        throw new Error(`the card ${key} ${card.isDeleted ? 'is there' : 'was deleted'}`);
      const isClosed = content.endsWith('was live.');
      if (isQuiet && !card.isDeleted && card.isClosed !== 'maybe' && isClosed !== card.isClosed)
        throw new Error(`the card ${key} is ${isClosed ? 'closed' : 'open'}: ${content}`);
      if ((pinged?.roles.length ?? 0) !== (card.ping === undefined ? 0 : 1)) throw new Error(`the card ${key} pings ${shownAs(pinged)}`);
    }
  }
}

/** Throws if a member has a live role, or lacks one, against the words of the pages. */
async function checkRoles({ id, members, liveRoles, cards }: Server, { discord, lines }: Town): Promise<void> {
  const shown = await discord.order<{ members: readonly { readonly id: string; readonly roles: readonly string[] }[] }>(
    `/discord/member?guild=${id}`,
    undefined,
  );
  for (const member of members) {
    const has = shown.members.find((one) => one.id === member)?.roles ?? [];
    for (const role of liveRoles) {
      const expected = cards.roles.has(member, role);
      if (expected !== 'maybe' && has.includes(role) !== expected)
        throw new Error(`the member ${member} ${expected ? 'lacks' : 'has'} the role ${role}\n${lines.slice(-12).join('')}`);
    }
  }
}

/** Names the cards of a streamer in a channel. */
export function keyOf({ streamer, channel }: { readonly streamer: string; readonly channel: string }): string {
  return `${channel}/${streamer}`;
}

function streamerOf({ userIds }: Readonly<Record<string, unknown>>): string {
  return typeof userIds === 'object' && userIds !== null && 'twitch' in userIds ? String(userIds.twitch) : '?';
}

/** The parts of a stored entry that members choose. */
export function entryOf({ twitch, channel, ping, message, paused, deleteAfter, member }: Readonly<Record<string, unknown>>): ExpectedEntry {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return {
    handle: text(twitch) ?? '?',
    channel: text(channel),
    ping: text(ping),
    message: text(message),
    paused: paused === true || undefined,
    deleteAfter: deleteAfter === true || undefined,
    member: text(member),
  };
}

/** A value in an error. */
export function shownAs(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (one instanceof Map ? Object.fromEntries(one) : one));
}
