import { z } from 'zod';
import type { Files } from '#src/chat/files.ts';
import type { EmbedDraft } from '#src/chat/parameters.ts';
import type { Clock } from '#src/clock.ts';
import type { DiscordApi } from './api.ts';
import { attach } from './attaching.ts';
import type { EditPace } from './edit-pace.ts';
import { toWireEmbeds } from './embeds.ts';
import type { FetchFile } from '#src/media/fetch-file.ts';
import type { ChannelHistory } from './history.ts';
import { toMentions } from './mentions.ts';
import { WireMessage } from './messages.ts';
import { toAttachments, type Attached } from './multipart.ts';
import type { NamedThings } from './named.ts';
import { keepPictures } from './pictures.ts';
import type { Places } from './places.ts';

/** One Discord server, as the bot of one account sees it. */
export interface Server {
  readonly guildId: string;
  readonly account: string;
  readonly api: DiscordApi;
  readonly places: Places;
  readonly roles: NamedThings;
  readonly past: ChannelHistory;
  readonly fetchFile: FetchFile;
  readonly pace: EditPace;
  readonly clock: Clock;
}

/** An answer that nobody reads. */
export const Nothing = z.unknown();

/** What a new message holds. */
export interface Draft {
  readonly content?: string | undefined;
  readonly embed?: EmbedDraft | undefined;
  readonly mention?: readonly string[] | undefined;
  readonly nonce?: string | undefined;
  /** What else Discord's form has. */
  readonly more?: object | undefined;
  readonly files?: z.output<typeof Files>;
}

/** A message as Discord's form has it, and what is sent beside it. */
export interface Composed {
  readonly form: object;
  readonly files: readonly Attached[];
}

/** Fetches what a message shows, and finds whom it mentions. */
export async function compose(
  { roles, fetchFile }: Pick<Server, 'roles' | 'fetchFile'>,
  { content, embed, mention, nonce, more, files: wanted = [] }: Draft,
  signal: AbortSignal | undefined,
): Promise<Composed> {
  const mentions = await toMentions(mention, roles, signal);
  const attached = await attach(wanted, fetchFile, signal);
  const card = embed && (await keepPictures(embed, { fetchFile, signal }));
  const files = [...attached, ...(card?.files ?? [])];
  return {
    form: {
      content: mentions.into(content),
      embeds: card && toWireEmbeds(card.embed),
      allowed_mentions: mentions.allowed,
      ...(files.length > 0 && { attachments: toAttachments(files) }),
      ...(nonce !== undefined && { nonce, enforce_nonce: true }),
      ...more,
    },
    files,
  };
}

/** Writes a message into a channel. */
export async function write(server: Server, channelId: string, draft: Draft, signal: AbortSignal | undefined): Promise<WireMessage> {
  const { form, files } = await compose(server, draft, signal);
  return server.api({ method: 'POST', path: `/channels/${channelId}/messages`, body: form, files, answer: WireMessage, signal });
}
