import type { APIEmbed, APIEmbedAuthor } from 'discord.js';
import { acceptedAddress } from '#src/clients/operation/accepted-address.ts';
import type { Person } from '#src/clients/operation/record.ts';
import type { Reader } from '#src/discord/caller.ts';
import { oneLine } from '#src/discord/text/untrusted-text.ts';

/** A large card is alone in its message. Five small cards fit into one message. */
export type CardSize = 'large' | 'small';

/** Makes the embed of a record. */
export type Card<T> = (item: T, reader: Reader, size: CardSize) => APIEmbed;

export const COLORS = { streaming: 0x9146ff, social: 0x5865f2 } as const;

/** The maximum number of characters of a card. */
export const ROOM = { small: 1_150, large: 4_000 } as const;

/** The `url` of an embed. */
export function linked(url: string | undefined): { readonly url?: string } {
  const address = acceptedAddress(url);
  return address === undefined ? {} : { url: address };
}

/** A link with escaped text; only the text if the address is invalid or too long. */
export function linkTo(url: string | undefined, text: string, longest = 300): string {
  const address = acceptedAddress(url, longest)?.replaceAll('(', '%28').replaceAll(')', '%29');
  return address === undefined ? text : `[${text}](${address})`;
}

/** The author of an embed. */
export function authorOf({ displayName, handle, url }: Person): APIEmbedAuthor {
  return { name: oneLine(displayName, 100) || oneLine(handle, 100) || '?', ...linked(url) };
}

/** A picture, large below the text or small beside it. */
export function pictureOf(url: string | undefined, size: CardSize): Pick<APIEmbed, 'image' | 'thumbnail'> {
  const address = acceptedAddress(url);
  if (address === undefined) return {};
  return size === 'large' ? { image: { url: address } } : { thumbnail: { url: address } };
}

/** The known facts on one line. */
export function factsOf(...facts: readonly (string | undefined)[]): string {
  return facts.filter((fact) => fact !== undefined && fact !== '').join(' · ');
}
