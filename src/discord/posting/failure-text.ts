import type { Texts } from '#src/discord/language/texts.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import type { NewPost } from '#src/engine/posting/posting.ts';

/** The message to the author of a post that failed. Everyone in the channel sees the warning of the post or a part of its text. */
export function failureText({ text, warning = text }: NewPost, author: string, { posting: { result } }: Texts): string {
  return result.failureNotice(`<@${author}>`, escaped(warning, 80));
}
