import type { APIEmbed, APIEmbedAuthor } from 'discord.js';
import type { Person } from '#src/operation/record.ts';
import type { Asker } from '../asker.ts';
import { oneLine } from '../text/foreign-text.ts';

/** Whom a card is for: their language decides on words and numbers. */
export type Reader = Pick<Asker, 'words' | 'locale'>;

/** Alone in a message and with a large picture, or one of several: five small ones always fit into a message. */
export type CardSize = 'large' | 'small';

/** What a record looks like. */
export type Card<T> = (item: T, reader: Reader, size: CardSize) => APIEmbed;

/** Streams, videos, clips and channels have Twitch's colour, posts and people Discord's. */
export const COLORS = { streaming: 0x9146ff, social: 0x5865f2 } as const;

/** How many characters a card may have: five small ones are less than Discord lets a message have, a large one less than a description. */
export const ROOM = { small: 1_150, large: 4_000 } as const;

const LONGEST_ADDRESS = 2_048;

/** An address that Discord takes, of at most `longest`. */
export function addressOf(url: string | undefined, longest = LONGEST_ADDRESS): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { href, protocol } = new URL(url);
  return (protocol === 'https:' || protocol === 'http:') && href.length <= longest ? href : undefined;
}

/** `url` of an embed, where there is one. */
export function linked(url: string | undefined): { readonly url?: string } {
  const address = addressOf(url);
  return address === undefined ? {} : { url: address };
}

/** A link that reads `text`, which is ours or escaped; the text alone where the address cannot be shown. */
export function linkTo(url: string | undefined, text: string, longest = 300): string {
  const address = addressOf(url, longest)?.replaceAll('(', '%28').replaceAll(')', '%29');
  return address === undefined ? text : `[${text}](${address})`;
}

/** Somebody above a card. */
export function authorOf({ displayName, handle, url }: Person): APIEmbedAuthor {
  return { name: oneLine(displayName, 100) || oneLine(handle, 100) || '?', ...linked(url) };
}

/** A picture: large below the text, or small beside it. */
export function pictureOf(url: string | undefined, size: CardSize): Pick<APIEmbed, 'image' | 'thumbnail'> {
  const address = addressOf(url);
  if (address === undefined) return {};
  return size === 'large' ? { image: { url: address } } : { thumbnail: { url: address } };
}

/** Facts on one line; those that are not known are left out. */
export function factsOf(...facts: readonly (string | undefined)[]): string {
  return facts.filter((fact) => fact !== undefined && fact !== '').join(' · ');
}
