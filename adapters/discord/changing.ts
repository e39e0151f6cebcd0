import type { ChatPlatform } from '#src/chat/chat.ts';
import { toWireEmbeds } from './embeds.ts';
import { codeOf, CODES } from './faults.ts';
import { messagePlace, toSent, WireMessage, type MessagePlace } from './messages.ts';
import { toAttachments } from './multipart.ts';
import { keepPictures, standingCard, stayingFiles } from './pictures.ts';
import { opening } from './reopening.ts';
import { Nothing, type Server } from './server.ts';

type Operations = Required<Pick<ChatPlatform['operations'], 'edit' | 'delete' | 'react' | 'publish'>>;
type Change = Parameters<Operations['edit']>[0];

/** What is done with messages that stand already. */
export function changing(server: Server): Operations {
  const { api, guildId, pace, fetchFile } = server;

  async function edited({ path }: MessagePlace, { content, embed }: Change, signal: AbortSignal | undefined): Promise<WireMessage> {
    const nobody = { allowed_mentions: { parse: [] } };
    if (!embed) return api({ method: 'PATCH', path, body: { content, ...nobody }, answer: WireMessage, signal });

    const message = await api({ method: 'GET', path, answer: WireMessage, signal });
    const standing = standingCard(message);
    // A picture that cannot be had any more leaves the one that stands there.
    const without = (address: string, place: 'image' | 'thumbnail'): string => standing?.[place] ?? address;
    const fresh = await keepPictures(embed, { fetchFile, without, signal });
    const card = { ...standing, ...fresh.embed };
    const attachments = [...toAttachments(fresh.files), ...stayingFiles(message, card, fresh.files)];
    const body = { content, embeds: toWireEmbeds(card), attachments, ...nobody };
    return api({ method: 'PATCH', path, body, files: fresh.files, answer: WireMessage, signal });
  }

  /** Does something with a message, also in a thread that was archived; the message as it is known. */
  async function done(
    message: string,
    signal: AbortSignal | undefined,
    act: (place: MessagePlace) => Promise<unknown>,
  ): ReturnType<Operations['delete']> {
    const place = messagePlace(message, 'message');
    await opening(server, place.channelId, () => act(place), signal);
    return toSent({ id: place.messageId, channel_id: place.channelId }, guildId);
  }

  return {
    edit: ({ message, ...change }, { signal }) =>
      done(message, signal, (place) => pace.edit(place, () => edited(place, { message, ...change }, signal))),

    delete: ({ message }, { signal }) =>
      done(message, signal, ({ path }) => unless(CODES.unknownMessage, () => api({ method: 'DELETE', path, answer: Nothing, signal }))),

    react: ({ message, emoji }, { signal }) =>
      done(message, signal, ({ path }) =>
        api({ method: 'PUT', path: `${path}/reactions/${encodeURIComponent(toEmoji(emoji))}/@me`, answer: Nothing, signal }),
      ),

    publish: ({ message }, { signal }) =>
      done(message, signal, ({ path }) =>
        unless(CODES.published, () => api({ method: 'POST', path: `${path}/crosspost`, answer: Nothing, signal })),
      ),
  };
}

/** Does something that may be done already, which Discord says with `code`. */
async function unless(code: number, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (codeOf(error) !== code) throw error;
  }
}

/** An emoji as a path names it: itself, or `name:id`, which people copy as `<:name:id>`. */
function toEmoji(text: string): string {
  return /^<?a?:?(\w{2,32}:\d+)>?$/.exec(text)?.[1] ?? text;
}
