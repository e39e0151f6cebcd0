import type { ChatPlatform } from '#src/clients/chat/chat.ts';
import { STAYS_LAYOUT } from '#src/clients/chat/layout.ts';
import { mergedCards } from '#src/clients/chat/sendable-cards.ts';
import { PlatformError } from '#src/errors.ts';
import { assertShown } from '../assert-shown.ts';
import { keepPictures, standingCards, stayingFiles } from '../attachments.ts';
import { toAttachments } from '../client.ts';
import { codeOf, CODES } from '../errors.ts';
import { keepMentions, NoAnswer, requireButtonRoles, type Server } from '../server.ts';
import { toWireComponents } from '../wire/components.ts';
import { toWireEmbeds } from '../wire/embed.ts';
import { type MessageAddress, parseMessageId, toSent, WireMessage } from '../wire/message.ts';
import { withoutRows } from '../wire/parts.ts';
import { isFault } from '#src/http/errors.ts';
import { opening } from './retry-on-gone.ts';
import { addressOfSender, deleteOfSender } from './senders.ts';

type Operations = Required<Pick<ChatPlatform['operations'], 'edit' | 'delete' | 'react' | 'publish'>>;
type Change = Parameters<Operations['edit']>[0];
type KeyedChange = Change & { readonly key?: string | undefined };

/** Edits, deletions, reactions and publications of existing messages. */
export function changing(server: Server): Operations {
  const { api, guildId, pace, roles, fetchFile } = server;

  async function edited(target: MessageAddress, change: KeyedChange, signal: AbortSignal | undefined): Promise<WireMessage> {
    const message = await api({ method: 'GET', path: target.path, answer: WireMessage, signal });
    const { webhookId } = message;
    const { path, query } = (webhookId && (await addressOfSender(server, target, webhookId, signal))) || {
      path: target.path,
      query: undefined,
    };
    const { content, embed, embeds, layout, buttons, key } = change;
    await requireButtonRoles(change, roles, signal).catch(refuseRole);
    if (layout || message.isLayout) {
      return api({ method: 'PATCH', path, query, body: layoutForm(message, change), answer: WireMessage, signal });
    }
    const form = {
      ...(content !== undefined && { content: keepMentions(message.content, content) }),
      ...toWireComponents({ buttons }, key),
      allowed_mentions: { parse: [] },
    };
    if (!embed && !embeds) return api({ method: 'PATCH', path, query, body: form, answer: WireMessage, signal });

    const standing = standingCards(message);
    // An unavailable picture does not replace the current one.
    const without = (address: string, target: 'image' | 'thumbnail'): string => standing[0]?.[target] ?? address;
    const fresh = await keepPictures(embed ? [embed] : (embeds ?? []), { fetchFile, without, signal });
    const [changed] = fresh.cards;
    const cards = embed && changed ? mergedCards(standing, changed) : fresh.cards;
    const attachments = [...toAttachments(fresh.files), ...stayingFiles(message, cards, fresh.files)];
    const body = { embeds: toWireEmbeds(cards), attachments, ...form };
    return api({ method: 'PATCH', path, query, body, files: fresh.files, answer: WireMessage, signal });
  }

  /** Runs `act` on a message and opens its thread first if it is archived. */
  async function done(
    message: string,
    signal: AbortSignal | undefined,
    act: (target: MessageAddress) => Promise<unknown>,
  ): ReturnType<Operations['delete']> {
    const target = parseMessageId(message, 'message');
    await opening(server, target.channelId, () => act(target), signal);
    return toSent({ id: target.messageId, channel_id: target.channelId }, guildId);
  }

  return {
    async edit({ message, ...change }, { key, signal }) {
      if (change.layout) await assertShown(change);
      return done(message, signal, (target) => pace.edit(target, () => edited(target, { message, ...change, key }, signal)));
    },

    delete: ({ message }, { signal }) =>
      done(message, signal, (target) =>
        unless(GONE, async () => {
          try {
            await api({ method: 'DELETE', path: target.path, answer: NoAnswer, signal });
          } catch (error) {
            if (!isFault(error, 'forbidden') || !(await deleteOfSender(server, target, signal))) throw error;
          }
        }),
      ),

    react: ({ message, emoji }, { signal }) =>
      done(message, signal, ({ path }) =>
        api({ method: 'PUT', path: `${path}/reactions/${encodeURIComponent(toEmoji(emoji))}/@me`, answer: NoAnswer, signal }),
      ),

    publish: ({ message }, { signal }) =>
      done(message, signal, ({ path }) =>
        unless([CODES.published], () => api({ method: 'POST', path: `${path}/crosspost`, answer: NoAnswer, signal })),
      ),
  };
}

/** The form of an edit of a message with a layout, which keeps its files. An edit of the buttons alone keeps all other parts. */
function layoutForm(message: WireMessage, { content, embed, embeds, layout, buttons, key }: KeyedChange): object {
  const { attachments, parts } = message;
  if (!layout && (content !== undefined || embed || embeds)) {
    throw new PlatformError(STAYS_LAYOUT, { platform: 'discord', fault: 'rejected' });
  }
  const components = layout
    ? toWireComponents({ layout, buttons, files: attachments }, key, leadOf(message))
    : { components: [...parts.flatMap(withoutRows), ...(toWireComponents({ buttons }, key).components ?? [])] };
  return {
    ...components,
    ...(layout && { content: null, embeds: [] }),
    attachments: attachments.map(({ id }) => ({ id })),
    allowed_mentions: { parse: [] },
  };
}

/** The message is there: with the fault `missing`, its later edits would be skipped, as if it were deleted. */
function refuseRole(error: unknown): never {
  throw isFault(error, 'missing') ? new PlatformError(error.message, { platform: error.platform, fault: 'rejected', cause: error }) : error;
}

/** The mentions above a layout, which an edit keeps. A text of a layout that only begins with mentions is a part of it. */
function leadOf({ isLayout, content, texts: [first = ''] }: WireMessage): string | undefined {
  if (!isLayout) return keepMentions(content, ' ').trim();
  const lead = keepMentions(first, ' ').trim();
  return lead !== '' && lead === first.trim() ? lead : undefined;
}

/** A message is gone if its channel or its thread is. */
const GONE = [CODES.unknownMessage, CODES.unknownChannel];

/** Runs an action. The error codes mean that the action is already done. */
async function unless(codes: readonly number[], act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined || !codes.includes(code)) throw error;
  }
}

/** An emoji in a path: a Unicode emoji, or `name:id`. Users copy custom emojis as `<:name:id>`. */
function toEmoji(text: string): string {
  return /^<?a?:?(\w{2,32}:\d+)>?$/.exec(text)?.[1] ?? text;
}
