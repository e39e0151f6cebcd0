import twitterText from 'twitter-text';

/** The parts of addresses that Mastodon takes from twitter-text; its types leave them out. */
const { regexen } = twitterText as unknown as { readonly regexen: Readonly<Record<string, RegExp>> };
const part = (name: string): string => regexen[name]?.source ?? '';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const count = (text: string): number => [...graphemes.segment(text)].length;

/** Letters of other scripts in a query, by halves where they have two. */
const UCHARS = String.raw`\u00A0-\uDFFF\uE000-\uFFEF`;
const GENERAL = String.raw`[^\s<>()?]`;
const BALANCED = String.raw`\((?:${GENERAL}+|(?:${GENERAL}*\(${GENERAL}+\)${GENERAL}*))\)`;
const ENDING = String.raw`(?:[^\s\(\)\?!\*"'「」<>;:=,.\$%\[\]~&\|@]|(?:${BALANCED}))`;
const SERVER_PATH = String.raw`(?:(?:${GENERAL}*(?:${BALANCED}${GENERAL}*)*${ENDING})|(?:${GENERAL}+\/))`;
const SERVER_QUERY = String.raw`[a-z0-9!\?\*'\(\);:&=\+\$\/%#\[\]\-_\.,~\|@\^${UCHARS}]*[a-z0-9_&=#\/\-${UCHARS}]`;

const SERVER_LINK = new RegExp(
  `(${part('validUrlPrecedingChars')})((?:https?|dat|dweb|ipfs|ipns|ssb|gopher|gemini):\\/\\/(?:${part('validDomain')})(?::(?:[0-9]+))?(?:\\/${SERVER_PATH}*)?(?:\\?${SERVER_QUERY})?)`,
  'gi',
);
const PAGE_LINK = new RegExp(
  `(${part('validUrlPrecedingChars')})(https?:\\/\\/(?:${part('validDomain')})(?::(?:[0-9]+))?(?:\\/${part('validUrlPath')}*)?(?:\\?${part('validUrlQueryChars')}*${part('validUrlQueryEndingChars')})?)`,
  'gi',
);
const SERVER_MENTION =
  /(?<![=/\p{L}\p{M}\p{N}\p{Pc}])@([a-z0-9_]+(?:[.-]+[a-z0-9_]+)*)(?:@[\p{L}\p{M}\p{N}\p{Pc}]+(?:[.-]+[\p{L}\p{M}\p{N}\p{Pc}]+)*)?/giu;

interface Found {
  readonly start: number;
  readonly end: number;
  readonly counted: string;
}

/** As the server counts before it takes a post: app/validators/status_length_validator.rb. */
export function countedByServer(text: string): number {
  const links = Array.from(text.matchAll(SERVER_LINK), ({ index, 1: before = '', 2: url = '' }): Found => {
    const start = index + before.length;
    return { start, end: start + url.length, counted: 'x'.repeat(23) };
  });
  const mentions = Array.from(text.matchAll(SERVER_MENTION))
    .filter(({ 0: all, index }) => !/^(?:[@＠]|[\u00c0-\u024f]|:\/\/)/u.test(text.slice(index + all.length)))
    .map(({ 0: all, 1: name = '', index }): Found => ({ start: index, end: index + all.length, counted: `@${name}` }));

  let counted = '';
  let at = 0;
  for (const found of [...links, ...mentions].toSorted((a, b) => a.start - b.start)) {
    if (found.start < at) continue;
    counted += text.slice(at, found.start) + found.counted;
    at = found.end;
  }
  return count(counted + text.slice(at));
}

/** The count of its page during typing: app/javascript/mastodon/features/compose/util/counter.ts. */
export function countedByPage(text: string): number {
  return count(text.replace(PAGE_LINK, `$1${'x'.repeat(23)}`).replace(/(^|[^/\w])@(([a-z0-9_]+)@[a-z0-9.-]+[a-z0-9]+)/gi, '$1@$3'));
}
