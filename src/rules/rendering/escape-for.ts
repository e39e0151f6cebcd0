import type { FileTextKind, TextKind } from '#src/operation/text.ts';
import type { TextShape } from '../shape/shape.ts';
import type { EscapeText } from '../expression/evaluate-template.ts';
import { revealOwnText } from '../expression/language/own-text.ts';
import { asNamePart, FOLDER_HINT, isAddress, namesFolder } from '../grammar/file-text.ts';
import { escapeMarkdown } from '#src/operation/text/escape-markdown.ts';
import { neutral } from '#src/operation/text/neutral.ts';
import { escapePost } from '#src/operation/text/escape-post.ts';

/** Makes what is foreign in the text of an expression stay text where it ends up. */
export function escapeFor(shape: TextShape | undefined): EscapeText {
  const { file, markup = 'none' } = shape ?? {};
  if (file) return (text, { before, isOwn }) => revealOwnText(isOwn ? text : inItsPlace(neutral(text), before, file));
  return (text, { before }) => revealOwnText(ESCAPES[markup](neutral(text), before));
}

const ESCAPES: Readonly<Record<TextKind | 'none', (text: string, before: string) => string>> = {
  markdown: escapeMarkdown,
  post: escapePost,
  none: (text) => text,
};

/** Foreign text that would choose a file of this machine; the message is for the rule's author. */
export class ForeignFile extends Error {
  override readonly name = 'ForeignFile';
  override readonly message = `what a platform says must begin with https:// to be a file: ${FOLDER_HINT}`;
}

/** A piece of a path below a folder of the author's, or of an address; an address itself is left as it is. */
function inItsPlace(text: string, before: string, file: FileTextKind): string {
  if (file === 'pathOrAddress' && isAddress(before || text)) return isAddress(text) ? text : text.replace(/\.{2,}|[/\\]/gu, '_');
  if (!namesFolder(before)) throw new ForeignFile();
  return asNamePart(text);
}
