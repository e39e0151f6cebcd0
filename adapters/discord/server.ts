import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Embed } from '#src/chat/records.ts';
import { PlatformError } from '#src/errors.ts';
import type { DiscordApi } from './api.ts';
import { toWireEmbeds } from './embeds.ts';
import type { FetchFile } from './files.ts';
import type { ChannelHistory } from './history.ts';
import { toMentions } from './mentions.ts';
import { WireMessage } from './messages.ts';
import type { NamedThings } from './named.ts';
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
  readonly clock: Clock;
}

/** An answer that nobody reads. */
export const Nothing = z.unknown();

/** What a new message holds. */
export interface Draft {
  readonly content?: string | undefined;
  readonly embed?: Embed | undefined;
  readonly mention?: readonly string[] | undefined;
  readonly nonce?: string | undefined;
  /** What else Discord's form has. */
  readonly more?: object | undefined;
  readonly files?: readonly string[] | undefined;
}

/** Writes a message into a channel. */
export async function write(
  { api, roles, places, fetchFile }: Server,
  channelId: string,
  { content, embed, mention, nonce, more, files = [] }: Draft,
  signal: AbortSignal | undefined,
): Promise<WireMessage> {
  const mentions = await toMentions(mention, roles, signal);
  const body = {
    content: mentions.into(content),
    embeds: embed && toWireEmbeds(embed),
    allowed_mentions: mentions.allowed,
    ...(nonce !== undefined && { nonce, enforce_nonce: true }),
    ...more,
  };
  const attached = await Promise.all(files.map((address) => fetchFile(address, signal)));
  try {
    return await api({ method: 'POST', path: `/channels/${channelId}/messages`, body, files: attached, answer: WireMessage, signal });
  } catch (error) {
    // The channel is gone; another may have its name.
    if (error instanceof PlatformError && error.fault === 'missing') places.forget();
    throw error;
  }
}
