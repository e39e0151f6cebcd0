import { fetch } from 'undici';

const TIMEOUT_MS = 10_000;

/** Fetches a file that a user attached in Discord, up to `mostBytes`. Rejects only if `signal` aborts. */
export async function fetchAttachment(
  url: string,
  { mostBytes, signal }: { readonly mostBytes: number; readonly signal: AbortSignal },
): Promise<Buffer | 'unreachable' | 'tooLarge'> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]), redirect: 'error' });
    if (!answer.ok || !answer.body) return 'unreachable';
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of answer.body) {
      size += piece.byteLength;
      if (size > mostBytes) return 'tooLarge';
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } catch {
    signal.throwIfAborted();
    return 'unreachable';
  }
}
