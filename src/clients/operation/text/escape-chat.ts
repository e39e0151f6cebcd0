/** U+2060 is invisible, and no platform trims it. */
const WORD_JOINER = '\u2060';

/** The signs that begin a command of a chat or of its bots. */
const COMMAND = /^[\s\p{Cf}]*[/.!]/u;
const VISIBLE = /[^\s\p{Cf}]/u;

/** Escapes untrusted text for a chat message that has `before` in front of it, so that the message is no command. It has one line. */
export function escapeChat(text: string, before = ''): string {
  // One pattern with the line break in the middle would take quadratic time for many spaces.
  const line = text.replace(/\s+/gu, (gap) => (gap.includes('\n') ? ' ' : gap));
  return !VISIBLE.test(before) && COMMAND.test(line) ? WORD_JOINER + line.trimStart() : line;
}
