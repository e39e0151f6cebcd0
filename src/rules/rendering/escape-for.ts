import type { TextKind } from '#src/operation/text.ts';
import { escapeMarkdown } from '../text/markdown.ts';
import { neutral } from '../text/neutral.ts';
import { escapePost } from '../text/post.ts';

/** Makes foreign text stay text where it ends up. */
export function escapeFor(kind: TextKind | undefined): (text: string) => string {
  switch (kind) {
    case 'markdown':
      return (text) => escapeMarkdown(neutral(text));
    case 'post':
      return (text) => escapePost(neutral(text));
    case undefined:
      return neutral;
  }
}
