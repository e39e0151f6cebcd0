import { MessageReferenceType, MessageType, PermissionsBitField, Routes, type Client, type Guild, type REST } from 'discord.js';
import { z } from 'zod';
import {
  hasRole,
  may,
  hasPermission,
  roleKeys,
  scopeIn,
  serverOf,
  type Caller,
  type CallerOfOptions,
  type CallerOptions,
  type FindStoredServer,
  type Member,
} from '#src/discord/caller.ts';
import { explain, isExplained, lacksPermission, logFailedWrite, reasonOf } from '#src/discord/explain-error.ts';
import type { HandledEvents } from '#src/discord/handled-events.ts';
import { textsFor } from '#src/discord/language/languages.ts';
import { oneLine } from '#src/discord/text/untrusted-text.ts';
import { replyTarget } from './answer-target.ts';
import { findPoint, locate, locationKey, type Location } from './location.ts';
import { TooManyQuestions } from './quota.ts';
import type { Responder, ResponderOptions } from './responder.ts';
import { threadRow } from './thread.ts';

/** Discord shows for ten seconds that a bot writes. */
const TYPING_MS = 8_000;
/** How often a user without permission gets a notice. */
const NOTIFY_EVERY_MS = 60_000;
const MAX_NOTIFIED = 1_000;

export interface ListenOptions extends CallerOptions, Pick<ResponderOptions, 'points' | 'clock' | 'log'> {
  readonly responder: Responder;
  readonly storedServer: FindStoredServer;
  /** Lets one process answer each message. */
  readonly handled: HandledEvents;
}

/** Handles the data of a gateway event about a message. Never rejects. */
export type Listener = (data: unknown, client: Client<true>) => Promise<void>;

/** Answers messages that reply to an answer, that are in a thread below an answer, or that start with a mention of the bot. */
export function listen(options: ListenOptions): Listener {
  const { servers, settings, points, responder, storedServer, handled, clock, log, signal } = options;
  const notifiedUntilMs = new Map<string, number>();

  /** Whether to tell a user now that there is no answer. */
  function shouldNotify(user: string, untilMs: number): boolean {
    if ((notifiedUntilMs.get(user) ?? -Infinity) > clock.nowMs()) return false;
    notifiedUntilMs.delete(user);
    notifiedUntilMs.set(user, untilMs);
    const [oldest] = notifiedUntilMs.keys();
    if (notifiedUntilMs.size > MAX_NOTIFIED && oldest !== undefined) notifiedUntilMs.delete(oldest);
    return true;
  }

  async function answer(message: ReceivedMessage, location: Location, client: Client<true>): Promise<void> {
    const { id, channel, server, author, text, replyTo } = message;
    const { rest } = client;
    const caller = callerOf(message, client.guilds.cache.get(server), { ...options, stored: await storedServer(server) });
    const target = replyTarget(rest, { channel, message: id });
    const use = { by: `${oneLine(author.name, 80)} (${author.id})`, ...(caller.server && { in: caller.server.account }) };
    if (!caller.may('ask')) {
      log.info({ ...use, outcome: 'refused' }, 'message to the assistant');
      if (shouldNotify(author.id, clock.nowMs() + NOTIFY_EVERY_MS)) await target.add({ content: `-# ${caller.texts.errors.notAllowed}` });
      return;
    }
    let stopTyping = (): void => undefined;
    try {
      stopTyping = await showTyping(rest, channel, options);
      await responder.answer({
        id,
        text,
        caller,
        channel,
        target,
        isPrivate: false,
        from: () => findPoint(points, { ...location, replyTo }),
        location: locationKey(location),
        rows: () => (location.isThread ? undefined : [threadRow(caller.publicTexts)]),
        onStart: stopTyping,
      });
      log.info({ ...use, outcome: 'done' }, 'message to the assistant');
    } catch (error) {
      stopTyping();
      const reason = signal.aborted ? undefined : reasonOf(error);
      const outcome = signal.aborted ? 'interrupted' : 'failed';
      log.info({ ...use, outcome, ...(reason !== undefined && { reason }) }, 'message to the assistant');
      if (!signal.aborted && !isExplained(error)) log.error({ error }, 'a message could not be answered');
      if (lacksPermission(error)) return;
      const untilMs = error instanceof TooManyQuestions ? (error.freeAtMs ?? clock.nowMs() + NOTIFY_EVERY_MS) : 0;
      if (!shouldNotify(author.id, untilMs)) return;
      await target.add({ content: `-# ${signal.aborted ? caller.texts.errors.restarting : explain(error, caller.texts)}` });
    } finally {
      stopTyping();
    }
  }

  return async (data, client) => {
    try {
      const message = readMessage(data, client.user.id);
      if (!message || message.text === '' || !serverOf(message.server, servers, settings)) return;
      const { channel, author, isAddressed, replyTo } = message;
      const location = await locate(points, { channel, user: author.id, isPrivate: false });
      const isReply = replyTo !== undefined && (await points.findMessage(replyTo)) !== undefined;
      if (!location.isThread && !isReply && !isAddressed) return;
      if (await handled.claim(message.id)) await answer(message, location, client);
    } catch (error) {
      logFailedWrite(log, error, 'Discord rejected an answer to a message');
    }
  };
}

function callerOf({ server: id, author }: ReceivedMessage, guild: Guild | undefined, options: CallerOfOptions): Caller {
  const { servers, settings, stored, signal } = options;
  const server = serverOf(id, servers, settings);
  const member = guild && memberOf(author, guild);
  const locale = stored?.language ?? guild?.preferredLocale ?? 'en-US';
  return {
    id: author.id,
    name: author.name,
    server,
    stored,
    scope: server && scopeIn(server, servers, settings),
    texts: textsFor(locale),
    publicTexts: textsFor(locale),
    publicLocale: locale,
    locale,
    zone: stored?.zone ?? server?.zone ?? settings.zone,
    roleIds: server ? author.roles : [],
    may: (ability) => server !== undefined && may(ability, member, { settings, stored }),
    hasPermission: (permission) => hasPermission(permission, member),
    hasRole: (roles) => server !== undefined && hasRole(roles, member),
    signal,
  };
}

/** The permissions of an author. A message has only the roles; the permissions follow from the roles. */
function memberOf({ id, roles: ids }: ReceivedMessage['author'], guild: Guild): Member {
  const roles = [guild.id, ...ids].flatMap((role) => guild.roles.cache.get(role) ?? []);
  const all = id === guild.ownerId ? [PermissionsBitField.All] : roles.map(({ permissions }) => permissions.bitfield);
  const names = roles.map(({ name }) => name);
  return { permissions: new PermissionsBitField(all), roles: roleKeys(ids, names) };
}

/** Shows that the bot writes, until the result is called. Rejects if the bot cannot write there, so that no model is asked in vain. */
async function showTyping(rest: REST, channel: string, { clock, signal }: Pick<ListenOptions, 'clock' | 'signal'>): Promise<() => void> {
  const stopping = new AbortController();
  const over = AbortSignal.any([signal, stopping.signal]);
  const type = (): Promise<unknown> => rest.post(Routes.channelTyping(channel), { signal: over });
  async function typeOn(): Promise<void> {
    for (;;) {
      await clock.sleep(TYPING_MS, over);
      await type();
    }
  }
  await type().catch((error: unknown) => {
    if (lacksPermission(error)) throw error;
  });
  // The answer does not depend on it.
  typeOn().catch(() => undefined);
  return () => stopping.abort();
}

const FROM_USERS: readonly number[] = [MessageType.Default, MessageType.Reply];

const Wire = z.object({
  id: z.string(),
  type: z.int(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  webhook_id: z.string().optional(),
  content: z.string(),
  author: z.object({ id: z.string(), username: z.string(), bot: z.boolean().optional() }),
  member: z.object({ roles: z.array(z.string()) }).optional(),
  mentions: z.array(z.object({ id: z.string(), username: z.string() })).default([]),
  message_reference: z.object({ type: z.int().optional(), channel_id: z.string().optional(), message_id: z.string().optional() }).nullish(),
});

/** A message of a user in a server. */
export interface ReceivedMessage {
  readonly id: string;
  readonly channel: string;
  readonly server: string;
  readonly author: { readonly id: string; readonly name: string; readonly roles: readonly string[] };
  /** The content with names for mentions, without mentions of the bot; empty if Discord hides the content. */
  readonly text: string;
  /** Whether the message starts with a mention of the bot. */
  readonly isAddressed: boolean;
  readonly replyTo: string | undefined;
}

/** The message in the data of a gateway event; undefined for messages of bots and for direct messages. */
export function readMessage(data: unknown, bot: string): ReceivedMessage | undefined {
  const { data: wire } = Wire.safeParse(data);
  if (!wire || wire.guild_id === undefined || !wire.member) return undefined;
  if (wire.author.bot || wire.author.id === bot || wire.webhook_id !== undefined || !FROM_USERS.includes(wire.type)) return undefined;
  const { message_reference: reference } = wire;
  const isReply = wire.type === MessageType.Reply && (reference?.type ?? MessageReferenceType.Default) === MessageReferenceType.Default;
  const names = new Map(wire.mentions.map(({ id, username }) => [id, username]));
  const text = wire.content.replaceAll(/<@!?(\d+)>/gu, (mention, id: string) =>
    id === bot ? '' : names.has(id) ? `@${names.get(id)}` : mention,
  );
  return {
    id: wire.id,
    channel: wire.channel_id,
    server: wire.guild_id,
    author: { id: wire.author.id, name: wire.author.username, roles: wire.member.roles },
    text: text.trim(),
    isAddressed: new RegExp(`^\\s*<@!?${bot}>`, 'u').test(wire.content),
    replyTo: isReply ? reference?.message_id : undefined,
  };
}
