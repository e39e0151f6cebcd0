import { countCodePoints, countGraphemes } from '#src/clients/operation/text/characters.ts';
import { withoutFoldedLetters } from '#src/clients/operation/text/case-folding.ts';
import { runsOf } from '#src/clients/operation/text/links.ts';
import { DOMAIN_ENDINGS } from '#src/clients/operation/text/domain-endings.ts';

/** The length of a link, unless a server states another one. */
export const RESERVED_PER_URL = 23;

const HOST = String.raw`(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:${[...DOMAIN_ENDINGS].join('|')})(?![a-z0-9@+-])(?::\d{1,5})?`;
const PATH = String.raw`\/(?:[\w.~%!$&'*+,;=:@\/#-]*[\w\/#+-])?`;
const QUERY = String.raw`\?[\w!?*'@();:&=+$\/%#\[\].,~|-]*[\w&=#\/-]`;
/** A link, or the beginning of one, as Mastodon recognizes it. */
const LINK = new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}\p{C}@＠$#＃_])https?:\/\/${HOST}(?:${PATH})?(?:${QUERY})?`, 'giu');

/** A name with its host. The page of Mastodon counts a host of one character in full. */
const MENTION = /(?<![=/\p{L}\p{M}\p{N}\p{Pc}@＠.])(@\w+)@[a-z0-9](?:[.-]*[a-z0-9])+(?![.-]*[\p{L}\p{M}\p{N}\p{Pc}]|[@＠]|:\/\/)/giu;
/** A letter that no host has: a name in front of a link would otherwise continue into the address. */
const IN_PLACE_OF_A_LINK = 'ß';

/** What Mastodon may read as a link: it knows more endings, scripts and protocols. Hosts without an ending are no links. */
const PERHAPS_A_LINK =
  /(?<![A-Za-z0-9@＠$#＃])(?:https?|dat|dweb|ipfs|ipns|ssb|gopher|gemini):\/\/(?!(?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?![\p{L}\p{N}.-]))/giu;
/** The length of the shortest link, `ssb://a.co`. */
const SHORTEST_LINK = 10;

/**
 * The length of a post as Mastodon counts it: visible characters, a fixed length per link, and the name alone of `@name@host`.
 *
 * If a link is uncertain, the result is the longer count.
 */
export function mastodonLength(text: string, reservedPerUrl: number = RESERVED_PER_URL): number {
  let links = 0;
  const withoutLinks = withoutFoldedLetters(text).replace(LINK, () => {
    links += 1;
    return IN_PLACE_OF_A_LINK;
  });
  const counted = withoutLinks.replace(MENTION, '$1');
  const doubtful = counted.match(PERHAPS_A_LINK)?.length ?? 0;
  return countGraphemes(counted) + links * (reservedPerUrl - 1) + doubtful * Math.max(0, reservedPerUrl - SHORTEST_LINK);
}

/** The length of a warning: links and names count in full there. A warning without a text below it becomes the text, which has the length `asText`. */
export function warningLength(warning: string, asText: number = mastodonLength(warning)): number {
  return Math.max(countGraphemes(warning), asText);
}

/** The longest count of a server with Mastodon's API that is not Mastodon: code points, with whole links and names. */
export function lengthElsewhere(text: string, reservedPerUrl: number = RESERVED_PER_URL): number {
  let length = 0;
  for (const { text: run, link } of runsOf(text)) length += Math.max(countCodePoints(run), link ? reservedPerUrl : 0);
  return length;
}
