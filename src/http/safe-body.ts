/** The largest body that is read. */
const MOST_BYTES = 8 * 1024 * 1024;
/** The longest wait for a whole body. discord.js stops its timer at the head of a response. */
const MOST_MS = 30_000;
/** The longest pause in a body, for undici. */
export const BODY_LIMITS = { bodyTimeout: 10_000 };

interface Answer {
  readonly status: number;
  readonly body: AsyncIterable<unknown> | null;
  arrayBuffer(): Promise<ArrayBuffer>;
  json(): Promise<unknown>;
}

/**
 * An answer for discord.js whose body has a largest size and a time limit.
 *
 * discord.js does not read the body of a redirect, a rate limit or a failure of the server, so it is read here: if the connection breaks
 * during an unread body, undici throws an error outside every promise, which ends the process.
 */
export async function withSafeBody<T extends Answer>(answer: T, { mostMs = MOST_MS }: { readonly mostMs?: number } = {}): Promise<T> {
  const { status, body } = answer;
  answer.arrayBuffer = async () => Uint8Array.from(await read(body, mostMs)).buffer;
  answer.json = async () => JSON.parse((await read(body, mostMs)).toString('utf8')) as unknown;
  if ((status >= 300 && status < 400) || status === 429 || status >= 500) await answer.arrayBuffer().catch(() => undefined);
  return answer;
}

async function read(body: AsyncIterable<unknown> | null, mostMs: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const begunMs = performance.now();
  for await (const piece of body ?? []) {
    if (performance.now() - begunMs > mostMs) throw new Error(`a response of Discord takes longer than ${mostMs} ms`);
    pieces.push(piece as Uint8Array); // without an encoding, a body consists of bytes
    bytes += (piece as Uint8Array).length;
    // The same error as for a body that is not JSON.
    if (bytes > MOST_BYTES) throw new SyntaxError(`a response of Discord has more than ${MOST_BYTES} bytes`);
  }
  return Buffer.concat(pieces);
}
