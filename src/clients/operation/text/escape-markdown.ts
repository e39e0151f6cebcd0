import { runsOf } from './links.ts';

const SPECIAL = /[\\*_~`|[\]()<>]/gu;
/** Characters with a meaning at the start of a line only. */
const BLOCK = /(?<=^[ \t]*)[#+-]/gmu;
const NUMBERED = /(?<=^[ \t]*\d+)\.(?=\s|$)/gmu;
const EVERYBODY = /@(?=everyone|here)/giu;
const NEVER_IN_A_LINK = /[`|\\"^{}]/gu;

/** U+2060 is invisible and prevents a line break. */
const WORD_JOINER = '\u2060';

/** Escapes untrusted text for Discord's Markdown. Its links stay links. */
export function escapeMarkdown(text: string): string {
  let escaped = '';
  let afterLink = false;
  for (const run of runsOf(text)) {
    escaped += run.link ? run.text.replace(NEVER_IN_A_LINK, encodeURIComponent) : escapeRun(run.text, afterLink);
    afterLink = run.link;
  }
  return escaped;
}

function escapeRun(text: string, afterLink: boolean): string {
  // Discord would take a backslash right behind a link as part of it.
  const [first = ''] = text;
  if (afterLink && /[)\]]/u.test(first)) return first + escapeRun(text.slice(1), false);
  const gap = afterLink && /[<>]/u.test(first) ? ' ' : '';
  return gap + text.replace(SPECIAL, '\\$&').replace(BLOCK, '\\$&').replace(NUMBERED, '\\.').replace(EVERYBODY, `@${WORD_JOINER}`);
}
