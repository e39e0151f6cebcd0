import type { Attachment } from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { Caller } from '#src/discord/caller.ts';

/** A list with the most entries fits, and no member keeps the process busy with a file. */
const MOST_BYTES = 131_072;
const TIMEOUT_MS = 10_000;

/** The text of a file that a user attached. Throws a {@link UserError} if it cannot be read. */
export async function attachedText(
  { url, size }: Pick<Attachment, 'url' | 'size'>,
  { texts: { following }, signal }: Pick<Caller, 'texts' | 'signal'>,
): Promise<string> {
  // Discord states the size of a file, so its answer is no larger.
  if (size > MOST_BYTES) throw new UserError(following.file.tooLarge);
  const bytes = await fetchBytes(url, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
  signal.throwIfAborted();
  if (!bytes) throw new UserError(following.file.unreachable);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UserError(following.file.noText);
  }
}

async function fetchBytes(url: string, signal: AbortSignal): Promise<ArrayBuffer | undefined> {
  // discord.js takes the class of forms from the global object, where undici replaces it.
  const { fetch } = await import('undici');
  try {
    const answer = await fetch(url, { signal, redirect: 'error' });
    return answer.ok ? await answer.arrayBuffer() : undefined;
  } catch {
    return undefined;
  }
}
