import type { ConversationPoint, ConversationPoints } from '#src/clients/assistant/conversation-state.ts';

/** Where a user talks to the assistant. */
export interface Location {
  readonly channel: string;
  readonly user: string;
  /** Whether the channel is a thread below an answer. All users of a thread share one conversation. */
  readonly isThread: boolean;
  readonly isPrivate: boolean;
}

/** The key under which the last answer of a location is stored. */
export function locationKey({ channel, user, isThread, isPrivate }: Location): string {
  if (isPrivate) return `${channel}/${user}/private`;
  return isThread ? channel : `${channel}/${user}`;
}

/** Whether a key is of a thread, whose users share one conversation. */
export function isThreadKey(key: string): boolean {
  return !key.includes('/');
}

/** The answer that a question continues: the replied one, the last one of the location, or the one above the thread. */
export async function findPoint(
  points: ConversationPoints,
  { replyTo, ...location }: Location & { readonly replyTo?: string | undefined },
): Promise<ConversationPoint | undefined> {
  const replied = replyTo === undefined ? undefined : await points.findMessage(replyTo);
  const last = replied ?? (await points.findLocation(locationKey(location)));
  if (last === 'empty') return undefined;
  // A thread has the id of the message above it.
  return last ?? (location.isThread && !location.isPrivate ? points.findMessage(location.channel) : undefined);
}

/** The location of a user, with whether the channel is a thread below an answer. */
export async function locate(points: ConversationPoints, location: Omit<Location, 'isThread'>): Promise<Location> {
  const { channel } = location;
  const isThread = (await points.findMessage(channel)) !== undefined || (await points.findLocation(channel)) !== undefined;
  return { ...location, isThread };
}

const PREFIX = 'discord';
/** Stands for the server in direct messages. */
const NO_SERVER = 'direct';

export interface ConversationStart {
  readonly user: string;
  readonly server: string | undefined;
  readonly channel: string;
  /** The id of the first question. */
  readonly question: string;
}

/** The id of a new conversation. */
export function newConversationId({ user, server = NO_SERVER, channel, question }: ConversationStart): string {
  return [PREFIX, server, channel, user, question].join(':');
}

/** The start of the ids of all conversations that started in a server. */
export function conversationsIn(server: string = NO_SERVER): string {
  return `${PREFIX}:${server}:`;
}

/** The id of the user who started a conversation; undefined outside of Discord. */
export function ownerOf(conversation: string): string | undefined {
  const [prefix, , , user] = conversation.split(':');
  return prefix === PREFIX ? user : undefined;
}

/** Whether users of a server may see a conversation: it started in the server, or outside of Discord. */
export function isVisibleIn(server: string | undefined, conversation: string): boolean {
  const [prefix, startedIn] = conversation.split(':');
  return prefix !== PREFIX || startedIn === (server ?? NO_SERVER);
}
