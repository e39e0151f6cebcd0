import { DOMAIN_ENDINGS } from './domain-endings.ts';
import { runsOf } from './links.ts';

/**
 * U+2060 is invisible, prevents a line break and is no part of a name, so no platform reads a mention across it. U+200B would allow a line
 * break between the sign and the name.
 */
const WORD_JOINER = '\u2060';

/** A character of the path or query of a link, on X and Mastodon. */
const CHARACTER = String.raw`(?:(?<=[\/=a-z0-9_])@|[a-z0-9_~\/=+%#.&;:,!*'|\-])`;
/** The last character of a path on X. If a path ends with another one, for example in `/x.?`, X ends the link before it and reads the rest. */
const LAST_OF_PATH = String.raw`[a-z0-9_\/=+#\-]`;
/** A host that X accepts: labels of at most 63 characters, and no underscore in the last one before the ending. */
const LABEL = String.raw`[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?\.`;
const REGISTERED = String.raw`[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.`;

/**
 * The part of a link that X, Mastodon and Bluesky all read as a link. Mastodon reads mentions in links, except after a slash, `=` or a
 * letter. X ends a link where its pattern does, and reads the rest. A link to t.co ends after its first segment.
 */
const COMMON_LINK = new RegExp(
  String.raw`^https?:\/\/(?!t\.co[\/:?])(?:${LABEL})*${REGISTERED}(?:${[...DOMAIN_ENDINGS].join('|')})(?::\d+)?(?=[\/?])(?:\/(?:${CHARACTER}*${LAST_OF_PATH})?)?(?:\?(?:\?|${CHARACTER})*)?`,
  'i',
);
/** X and Mastodon ignore a link of more than 4096 characters. An encoded sign has up to nine. */
const LONGEST_LINK = 450;
const OPENING = new Set('([{<"\'«„“‘');
const HOST = /^https?:\/\/[^/?#]+/iu;
/** Longer words before the text have no effect. */
const LONGEST_WORD = 500;

/** The parts of a text that all platforms read as links. No platform reads a mention inside them. */
export function commonLinksIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  let end = 0;
  return runsOf(text).flatMap(({ text: run, link }) => {
    const start = end;
    end += run.length;
    return link ? [{ start, end: start + linkParts(text, start, run)[0] }] : [];
  });
}

/** Escapes untrusted text for a post that has `before` in front of it, so that it mentions nobody. */
export function escapePost(text: string, before = ''): string {
  if (!/[@＠]/u.test(text)) return text;
  const [context = ''] = /[\S\uFEFF]*$/u.exec(before.slice(-LONGEST_WORD)) ?? [];
  const whole = context + text;
  let end = 0;
  const runs = runsOf(whole).map(({ text: run, link }) => {
    const start = end;
    end += run.length;
    const [kept, path] = link ? linkParts(whole, start, run) : [0, Infinity];
    return run.replace(/[@＠]/gu, (sign, at: number) => {
      if (start + at < context.length || at < kept) return sign;
      return at >= path ? encodeURIComponent(sign) : sign + WORD_JOINER;
    });
  });
  return runs.join('').slice(context.length);
}

/** The length of the link at `start` that can stay, and the position from which signs can be encoded without breaking the link. */
function linkParts(text: string, start: number, link: string): readonly [kept: number, path: number] {
  const [host] = HOST.exec(link) ?? [];
  const [common = ''] = (isReadAsLink(text, start) && COMMON_LINK.exec(link)) || [];
  return [common.length, host?.length ?? Infinity];
}

/** Whether X begins a link at `start`. In a longer word, the link can belong to another link or to a host without a protocol. */
function isReadAsLink(text: string, start: number): boolean {
  let at = start;
  while (OPENING.has(text[at - 1] ?? '')) at--;
  const before = text[at - 1] ?? ' ';
  return /[^\S\uFEFF]/u.test(before) && /\s|$/u.exec(text.slice(start, start + LONGEST_LINK))?.index !== LONGEST_LINK;
}
