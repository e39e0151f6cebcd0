import { DOMAIN_ENDINGS } from './lengths/domain-endings.ts';
import { runsOf } from './links.ts';

/**
 * U+2060 is invisible, prevents a line break and is no part of a name, so no platform reads a mention across it. U+200B would allow a line
 * break between the sign and the name.
 */
const WORD_JOINER = '\u2060';

/** A character of the path or query of a link, on X and Mastodon. */
const CHARACTER = String.raw`(?:(?<=[\/=a-z0-9_])@|[a-z0-9_~\/=+%#.&;:,!*'|\-])`;

/**
 * The part of a link that X, Mastodon and Bluesky all read as a link. Mastodon reads mentions in links, except after a slash, `=` or a
 * letter. X ends a link where its pattern does, and reads the rest. A link to t.co ends after its first segment.
 */
const COMMON_LINK = new RegExp(
  String.raw`^https?:\/\/(?!t\.co[\/:?])(?:[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?\.)+(?:${[...DOMAIN_ENDINGS].join('|')})(?::\d+)?(?=[\/?])(?:\/${CHARACTER}*)?(?:\?(?:\?|${CHARACTER})*)?`,
  'i',
);
/** Any other character before a link can hide the link from X, or belong to a host without a protocol. */
const HIDES_LINK = /[^\s([{<"'«„“‘]/u;
const HOST = /^https?:\/\/[^/?#]+/iu;
/** Longer words before the text have no effect. */
const LONGEST_WORD = 500;

/** The parts of a text that all platforms read as links. No platform reads a mention inside them. */
export function commonLinksIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  let end = 0;
  return runsOf(text).flatMap(({ text: run, link }) => {
    const start = end;
    end += run.length;
    return link ? [{ start, end: start + linkParts(run, text[start - 1])[0] }] : [];
  });
}

/** Escapes untrusted text for a post that has `before` in front of it, so that it mentions nobody. */
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

/** The length of a link that can stay, and the position from which signs can be encoded without breaking the link. */
function linkParts(link: string, charBefore = ''): readonly [kept: number, path: number] {
  const [host] = HOST.exec(link) ?? [];
  const [common = ''] = (!HIDES_LINK.test(charBefore) && COMMON_LINK.exec(link)) || [];
  return [common.length, host?.length ?? Infinity];
}
