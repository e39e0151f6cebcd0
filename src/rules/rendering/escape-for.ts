import type { TextKind } from '#src/operation/text.ts';
import type { TextShape } from '../shape/shape.ts';
import { revealOwnText } from '../expression/language/own-text.ts';
import { escapeMarkdown } from '#src/operation/text/escape-markdown.ts';
import { neutral } from '#src/operation/text/neutral.ts';
import { escapePost } from '#src/operation/text/escape-post.ts';

/** Makes what is foreign in the text of an expression stay text where it ends up. */
export function escapeFor(shape: TextShape | undefined): (text: string) => string {
  const escape = shape?.addressOrOwnText ? inOnePlace : ESCAPES[shape?.markup ?? 'none'];
  return (text) => revealOwnText(escape(neutral(text)));
}

const ESCAPES: Readonly<Record<TextKind | 'none', (text: string) => string>> = {
  markdown: escapeMarkdown,
  post: escapePost,
  none: (text) => text,
};

/** A piece of a path or an address that leads nowhere else; an address itself is left as it is. */
function inOnePlace(text: string): string {
  return /^https?:\/\//iu.test(text) ? text : text.replace(/\.{2,}|[/\\]/gu, '_');
}
