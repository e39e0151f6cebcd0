import type { ChatPlatform } from '#src/chat/chat.ts';
import { keepPictures, standingCard, stayingFiles } from '../attachments.ts';
import { toAttachments } from '../client.ts';
import { codeOf, CODES } from '../errors.ts';
import { keepMentions, NoAnswer, type Server } from '../server.ts';
import { toWireEmbeds } from '../wire/embed.ts';
import { type MessageAddress, parseMessageId, toSent, WireMessage } from '../wire/message.ts';
import { opening } from './retry-on-gone.ts';

type Operations = Required<Pick<ChatPlatform['operations'], 'edit' | 'delete' | 'react' | 'publish'>>;
type Change = Parameters<Operations['edit']>[0];

/** Edits, deletions, reactions and publications of existing messages. */
export function changing(server: Server): Operations {
  const { api, guildId, pace, fetchFile } = server;

  async function edited({ path }: MessageAddress, { content, embed }: Change, signal: AbortSignal | undefined): Promise<WireMessage> {
    const message = await api({ method: 'GET', path, answer: WireMessage, signal });
    const kept = content === undefined ? {} : { content: keepMentions(message.content, content) };
    const text = { ...kept, allowed_mentions: { parse: [] } };
    if (!embed) return api({ method: 'PATCH', path, body: text, answer: WireMessage, signal });

    const standing = standingCard(message);
    // An unavailable picture does not replace the current one.
    const without = (address: string, target: 'image' | 'thumbnail'): string => standing?.[target] ?? address;
    const fresh = await keepPictures(embed, { fetchFile, without, signal });
    const card = { ...standing, ...fresh.embed };
    const attachments = [...toAttachments(fresh.files), ...stayingFiles(message, card, fresh.files)];
    const body = { embeds: toWireEmbeds(card), attachments, ...text };
    return api({ method: 'PATCH', path, body, files: fresh.files, answer: WireMessage, signal });
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
    edit: ({ message, ...change }, { signal }) =>
      done(message, signal, (target) => pace.edit(target, () => edited(target, { message, ...change }, signal))),

    delete: ({ message }, { signal }) =>
      done(message, signal, ({ path }) => unless(GONE, () => api({ method: 'DELETE', path, answer: NoAnswer, signal }))),

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
