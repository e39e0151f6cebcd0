import { countCodePoints } from '../code-points.ts';
import { countGraphemes } from '../graphemes.ts';
import { runsOf } from '../links.ts';
import { DOMAIN_ENDINGS } from './domain-endings.ts';

/** What a link counts as, however long it is, unless a server says otherwise. */
export const RESERVED_PER_URL = 23;

const HOST = String.raw`(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:${[...DOMAIN_ENDINGS].join('|')})(?![a-z0-9@+-])(?::\d{1,5})?`;
const PATH = String.raw`\/(?:[\w.~%!$&'*+,;=:@\/#-]*[\w\/#+-])?`;
const QUERY = String.raw`\?[\w!?*'@();:&=+$\/%#\[\].,~|-]*[\w&=#\/-]`;
/** A link that Mastodon takes for one, or for the beginning of one. */
const LINK = new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}\p{C}@＠$#＃_])https?:\/\/${HOST}(?:${PATH})?(?:${QUERY})?`, 'giu');

const MENTION = /(?<![=/\p{L}\p{M}\p{N}\p{Pc}@＠.])(@\w+)@[a-z0-9]+(?:[.-]+[a-z0-9]+)*(?![.-]*[\p{L}\p{M}\p{N}\p{Pc}]|[@＠]|:\/\/)/giu;
/** A letter that no host has: a name that ends at a link goes on into its address for Mastodon, and is none. */
const IN_PLACE_OF_A_LINK = 'ß';

/** What may be a link to Mastodon: it knows more endings of hosts, other scripts and other protocols. Hosts without an ending are none. */
const PERHAPS_A_LINK =
  /(?<![A-Za-z0-9@＠$#＃])(?:https?|dat|dweb|ipfs|ipns|ssb|gopher|gemini):\/\/(?!(?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?![\p{L}\p{N}.-]))/giu;
/** `ssb://a.co`: how short what counts as a link can be. */
const SHORTEST_LINK = 10;

/**
 * The length of a post as Mastodon counts it: characters as a reader sees them, each link alike, and of `@name@host` the name.
 *
 * Where this cannot know whether Mastodon would take something for a link, it counts more.
 */
export function mastodonLength(text: string, reservedPerUrl: number = RESERVED_PER_URL): number {
  let links = 0;
  const withoutLinks = text.replace(LINK, () => {
    links += 1;
    return IN_PLACE_OF_A_LINK;
  });
  const counted = withoutLinks.replace(MENTION, '$1');
  const doubtful = counted.match(PERHAPS_A_LINK)?.length ?? 0;
  return countGraphemes(counted) + links * (reservedPerUrl - 1) + doubtful * Math.max(0, reservedPerUrl - SHORTEST_LINK);
}

/** The length as a server counts it at the most that speaks the protocol and is not Mastodon: by code points, links and names as they are. */
export function lengthElsewhere(text: string, reservedPerUrl: number = RESERVED_PER_URL): number {
  let length = 0;
  for (const { text: run, link } of runsOf(text)) length += Math.max(countCodePoints(run), link ? reservedPerUrl : 0);
  return length;
}
