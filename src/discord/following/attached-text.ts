import type { Attachment } from 'discord.js';
import { UserError } from '#src/errors.ts';
import { decodeText } from '#src/rules/document/decode-text.ts';
import type { Caller } from '#src/discord/caller.ts';

/** A list with the most entries fits, and no member keeps the process busy with a file. */
const MOST_BYTES = 131_072;

/** The text of a file that a user attached. Throws a {@link UserError} if it cannot be read. */
export async function attachedText(
  { url, size }: Pick<Attachment, 'url' | 'size'>,
  { texts: { following }, signal }: Pick<Caller, 'texts' | 'signal'>,
): Promise<string> {
  // discord.js takes the class of forms from the global object, where undici replaces it.
  const { fetchAttachment } = await import('#src/engine/posting/fetch-attachment.ts');
  const bytes = size > MOST_BYTES ? 'tooLarge' : await fetchAttachment(url, { mostBytes: MOST_BYTES, signal });
  if (typeof bytes === 'string') throw new UserError(following.file[bytes]);
  const decoded = decodeText(bytes);
  if ('text' in decoded) return decoded.text;
  throw new UserError(following.file.noText);
}
