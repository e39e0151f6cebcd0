/** A stretch of text, all of it an address or none of it. */
export interface Stretch {
  readonly text: string;
  readonly isUrl: boolean;
}

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?`;
const HOST = String.raw`(?:(?:${LABEL}\.)+${LABEL}|localhost)(?::\d+)?`;
const IN_PATH = String.raw`[\p{L}\p{M}\p{N}!*';:=+,.$/%#[\]\-\u2013_~@|&]`;
/** Brackets belong to an address only where both stand in it, one within another at most. */
const PATH = String.raw`\/(?:${IN_PATH}|\((?:${IN_PATH}|\(${IN_PATH}+\))+\))*`;
const QUERY = String.raw`\?[a-z0-9!?*'();:&=+$/%#[\]\-_.,~|@]*`;
const URL = new RegExp(String.raw`(?<![A-Za-z0-9@＠$#＃\u202A-\u202E])https?:\/\/${HOST}(?<path>${PATH})?(?<query>${QUERY})?`, 'giu');
const PATH_END = /[\p{L}\p{N}=_#/+\-)]$/u;
const QUERY_END = /[a-z0-9\-_&=#/]$/i;

/** A text in its stretches, each address by itself, found as Mastodon finds them: not as Fanfare does, so that the one can judge the other. */
export function stretchesOf(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  for (const { 0: found, index, groups: { path = '', query = '' } = {} } of text.matchAll(URL)) {
    const host = found.slice(0, found.length - path.length - query.length);
    const whole = trimmed(path, PATH_END);
    // A question mark asks only right behind the rest.
    const url = host + whole + (whole === path ? trimmed(query, QUERY_END) : '');
    if (index > from) stretches.push({ text: text.slice(from, index), isUrl: false });
    stretches.push({ text: url, isUrl: true });
    from = index + url.length;
  }
  if (from < text.length) stretches.push({ text: text.slice(from), isUrl: false });
  return stretches;
}

/** What ends a sentence is no part of an address in it. */
function trimmed(part: string, end: RegExp): string {
  let length = part.length;
  while (length > 0 && !end.test(part.slice(0, length))) length--;
  return part.slice(0, length);
}
