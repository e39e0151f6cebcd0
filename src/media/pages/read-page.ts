import type { IncomingMessage } from 'node:http';
import { opener } from '../open-address.ts';
import { headOf } from './page-head.ts';
import { pageText } from './page-text.ts';

/** What a page says of itself stands at its beginning. */
const MOST_BYTES = 512 * 1024;

/** A page, as a link to it can be shown. */
export interface Page {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly imageUrl: string | undefined;
}

export interface ReadPageOptions {
  /** The origin of the account's own server, the only one that may be on this machine or its network. */
  readonly accountOrigin?: string | undefined;
  /** Also ends a page that goes on and on. */
  readonly signal: AbortSignal;
}

/** What the page at an address says of itself; throws an error that says why where it cannot be read. */
export async function readPage(address: string, { accountOrigin, signal }: ReadPageOptions): Promise<Page> {
  const open = opener({ accountOrigin, accept: 'text/html,application/xhtml+xml' });
  const { answer, url } = await open(new URL(address), signal);
  const why = whyNot(answer);
  if (why !== undefined) {
    answer.destroy();
    throw new Error(why);
  }
  const { title, description, image } = headOf(pageText(await beginningOf(answer), answer.headers['content-type']));
  return { title, description, imageUrl: image === undefined ? undefined : webAddress(image, url) };
}

function whyNot({ statusCode, headers }: IncomingMessage): string | undefined {
  if (statusCode !== 200) return `it was answered with ${statusCode}`;
  if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '')) return 'it is no page';
  // Nobody asked for that.
  return (headers['content-encoding'] ?? 'identity') === 'identity' ? undefined : 'it is compressed';
}

async function beginningOf(answer: IncomingMessage): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer) {
    if (!Buffer.isBuffer(piece)) continue;
    pieces.push(piece);
    size += piece.length;
    // To leave the loop ends the connection.
    if (size >= MOST_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, MOST_BYTES);
}

function webAddress(written: string, page: URL): string | undefined {
  const url = URL.parse(written, page.href);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
