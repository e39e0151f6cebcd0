import { DOMAIN_ENDINGS } from './lengths/domain-endings.ts';
import { runsOf } from './links.ts';

/**
 * U+2060: not seen, no place for a line to break, and no part of a name, so that no platform reads a mention over it.
 * U+200B would let the line break between the sign and the name.
 */
const WORD_JOINER = '\u2060';

/** A character of the path or query of a link, on X and Mastodon. */
const CHARACTER = String.raw`(?:(?<=[\/=a-z0-9_])@|[a-z0-9_~\/=+%#.&;:,!*'|\-])`;

/**
 * The part of a link that X, Mastodon and Bluesky all take for a link. Mastodon reads mentions in links, too, but not after a slash, `=` or
 * a letter. X ends a link where its own pattern does, and reads what follows. A link to t.co ends after its first segment.
 */
const COMMON_LINK = new RegExp(
  String.raw`^https?:\/\/(?!t\.co[\/:?])(?:[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?\.)+(?:${[...DOMAIN_ENDINGS].join('|')})(?::\d+)?(?=[\/?])(?:\/${CHARACTER}*)?(?:\?(?:\?|${CHARACTER})*)?`,
  'i',
);
/** Before a link, other characters than these can keep X from seeing the link, or belong to a host without a protocol. */
const HIDES_LINK = /[^\s([{<"'«„“‘]/u;
const HOST = /^https?:\/\/[^/?#]+/iu;
/** No word of a text before is longer where it matters. */
const LONGEST_WORD = 500;

/** The parts of a text that all platforms take for links, in which none of them reads a mention. */
export function commonLinksIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  let end = 0;
  return runsOf(text).flatMap(({ text: run, link }) => {
    const start = end;
    end += run.length;
    return link ? [{ start, end: start + linkParts(run, text[start - 1])[0] }] : [];
  });
}

/** Foreign text for a post that goes on after `before`: nobody whom the foreign text names is mentioned. */
export function escapePost(text: string, before = ''): string {
  const [context = ''] = /\S*$/u.exec(before.slice(-LONGEST_WORD)) ?? [];
  const whole = context + text;
  let end = 0;
  const runs = runsOf(whole).map(({ text: run, link }) => {
    const start = end;
    end += run.length;
    const [kept, path] = link ? linkParts(run, whole[start - 1]) : [0, Infinity];
    return run.replace(/[@＠]/gu, (sign, at: number) => {
      if (start + at < context.length || at < kept) return sign;
      return at >= path ? encodeURIComponent(sign) : sign + WORD_JOINER;
    });
  });
  return runs.join('').slice(context.length);
}

/** How much of a link can stay, and where the signs of names can be encoded without breaking the link. */
function linkParts(link: string, charBefore = ''): readonly [kept: number, path: number] {
  const [host] = HOST.exec(link) ?? [];
  const [common = ''] = (!HIDES_LINK.test(charBefore) && COMMON_LINK.exec(link)) || [];
  return [common.length, host?.length ?? Infinity];
}
