import type { TextKind } from '#src/operation/text.ts';
import { revealOwnText } from '../expression/language/own-text.ts';
import { escapeMarkdown } from '#src/operation/text/escape-markdown.ts';
import { neutral } from '#src/operation/text/neutral.ts';
import { escapePost } from '#src/operation/text/escape-post.ts';

/** Makes what is foreign in the text of an expression stay text where it ends up. */
export function escapeFor(kind: TextKind | undefined): (text: string) => string {
  const escape = ESCAPES[kind ?? 'none'];
  return (text) => revealOwnText(escape(neutral(text)));
}

const ESCAPES: Readonly<Record<TextKind | 'none', (text: string) => string>> = {
  markdown: escapeMarkdown,
  post: escapePost,
  none: (text) => text,
};
