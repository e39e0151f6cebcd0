import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { PlatformError, type Fault } from '#src/errors.ts';
import { parseInstant } from '#src/http/parse-instant.ts';
import { serverTime } from '#src/http/rate-headers.ts';
import { decodeText } from '#src/http/media/decode-text.ts';
import { Forbidden, opener } from '#src/http/media/open-address.ts';
import { withoutUserInfo } from '#src/http/without-user-info.ts';

/** The largest feed, before and after decompression. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_ENCODINGS = 2;
const WITHIN_MS = 30_000;
/** The longest wait that a server can state. */
const LONGEST_WAIT_MS = 24 * 3_600_000;
const ACCEPT = 'application/rss+xml, application/atom+xml, application/feed+json, application/json;q=0.9, application/xml;q=0.9, */*;q=0.8';
const IN_XML = /^[^<]*<\?xml[^>]*?encoding\s*=\s*["']?\s*([\w:.-]{1,40})/i;

/** What a server compares a feed by. */
export interface Validators {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** The document of a feed. */
interface FetchedFeed {
  readonly text: string;
  /** The address after all redirects, without credentials. */
  readonly url: URL;
  readonly validators: Validators;
  /** The header `Link`. */
  readonly links: string | undefined;
}

interface FetchFeedOptions {
  /** The validators of the kept items; absent: the whole feed is wanted. */
  readonly known: Validators | undefined;
  /** Whether the server of the address may be in a private network. A redirect to another private server is refused. */
  readonly isAllowed: boolean;
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Requests a feed once. Throws a `PlatformError` that concerns only this feed. */
export async function fetchFeed(url: URL, { known, isAllowed, nowMs, signal }: FetchFeedOptions): Promise<FetchedFeed | 'unchanged'> {
  const late = AbortSignal.timeout(WITHIN_MS);
  const open = opener({
    accept: ACCEPT,
    headers: {
      // Some servers send `deflate` without the header that it has in HTTP.
      'accept-encoding': 'gzip, br',
      ...(known?.etag !== undefined && { 'if-none-match': known.etag }),
      ...(known?.lastModified !== undefined && { 'if-modified-since': known.lastModified }),
    },
    accountOrigin: isAllowed ? url.origin : undefined,
  });
  const failed = (
    fault: Fault,
    why: string,
    more: { readonly status?: number; readonly retryAt?: Date | undefined; readonly cause?: unknown } = {},
  ) => new PlatformError(`The feed at ${url.hostname} cannot be read: ${why}.`, { platform: 'feed', fault, ...more });
  try {
    const { answer, url: last } = await open(url, signal ? AbortSignal.any([signal, late]) : late);
    const { statusCode: status = 0, headers } = answer;
    if (status === 304 && known) {
      answer.destroy();
      return 'unchanged';
    }
    if (status !== 200) {
      answer.destroy();
      throw failed(faultOf(status), `its server answers with ${status}`, { status, retryAt: retryAtOf(headers, nowMs) });
    }
    const bytes = await decompressed(await bytesOf(answer), headers['content-encoding']);
    const text = decodeText(bytes, { contentType: headers['content-type'], declaration: IN_XML });
    const validators = { etag: headers.etag, lastModified: headers['last-modified'] };
    return { text, url: new URL(withoutUserInfo(last.href)), validators, links: [headers['link'] ?? []].flat().join(', ') };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof PlatformError) throw error;
    if (error instanceof TooLarge) throw failed('rejected', 'it is larger than 4 MB');
    if (error instanceof Forbidden) throw failed('rejected', error.message, { cause: error });
    throw failed('unavailable', late.aborted ? 'it takes too long' : 'its server gives no readable answer', { cause: error });
  }
}

class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

async function bytesOf(answer: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer) {
    if (!Buffer.isBuffer(piece)) continue;
    size += piece.length;
    // Leaving the loop closes the connection.
    if (size > MOST_BYTES) throw new TooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const DECODERS: ReadonlyMap<string, (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>> = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** The body without its compressions, of which the last one is removed first. A bomb is not decompressed beyond the limit. */
async function decompressed(bytes: Buffer, encodings = ''): Promise<Buffer> {
  const names = encodings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MOST_ENCODINGS) throw new Error('the feed has too many encodings');
  let rest = bytes;
  for (const name of names.toReversed()) {
    const decode = DECODERS.get(name);
    if (!decode) throw new Error(`the encoding ${name} is unknown`);
    try {
      rest = await decode(rest, { maxOutputLength: MOST_BYTES });
    } catch (error) {
      throw error instanceof RangeError ? new TooLarge() : error;
    }
  }
  return rest;
}

/** No fault concerns all feeds, so none pauses the others. */
function faultOf(status: number): Fault {
  if (status === 404 || status === 410) return 'missing';
  if (status === 401 || status === 403) return 'forbidden';
  return status === 429 || status >= 500 ? 'unavailable' : 'rejected';
}

function retryAtOf(headers: IncomingHttpHeaders, nowMs: number): Date | undefined {
  const header = headers['retry-after'];
  if (header === undefined) return undefined;
  const serverMs = serverTime(headers, nowMs);
  const atMs = /^\d{1,9}$/u.test(header) ? serverMs + Number(header) * 1000 : parseInstant(header)?.getTime();
  return atMs === undefined ? undefined : new Date(nowMs + Math.min(atMs - serverMs, LONGEST_WAIT_MS));
}
