import type { IncomingMessage } from 'node:http';
import { lateModule, wantsLate } from '#src/errors.ts';
import { decodeText } from '../decode-text.ts';
import { opener } from '../open-address.ts';

/** The head of a page is at its beginning. */
const MOST_BYTES = 512 * 1024;

const IN_A_TAG = /<meta[^>]*?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i;

/** The HTML parser is large. */
const loadPageHead = lateModule('the HTML parser', () => import('./page-head.ts'));
wantsLate(loadPageHead);

/** The title, description and picture for a link to a page. */
export interface Page {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly imageUrl: string | undefined;
}

export interface ReadPageOptions {
  /** The origin of the account's server. Only this server may be on a private network. */
  readonly accountOrigin?: string | undefined;
  /** Also ends a page that never ends. */
  readonly signal: AbortSignal;
}

/** Reads the title, description and picture of the page at an address; throws an error with the reason if it cannot be read. */
export async function readPage(address: string, { accountOrigin, signal }: ReadPageOptions): Promise<Page> {
  const open = opener({ accountOrigin, accept: 'text/html,application/xhtml+xml' });
  const { answer, url } = await open(new URL(address), signal);
  const why = whyNot(answer);
  if (why !== undefined) {
    answer.destroy();
    throw new Error(why);
  }
  const { headOf } = await loadPageHead();
  const { title, description, image } = headOf(
    decodeText(await beginningOf(answer), { contentType: answer.headers['content-type'], declaration: IN_A_TAG }),
  );
  return { title, description, imageUrl: image === undefined ? undefined : webAddress(image, url) };
}

function whyNot({ statusCode, headers }: IncomingMessage): string | undefined {
  if (statusCode !== 200) return `it was answered with ${statusCode}`;
  if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '')) return 'it is no page';
  // The request asked for no compression.
  return (headers['content-encoding'] ?? 'identity') === 'identity' ? undefined : 'it is compressed';
}

async function beginningOf(answer: IncomingMessage): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer) {
    if (!Buffer.isBuffer(piece)) continue;
    pieces.push(piece);
    size += piece.length;
    // Leaving the loop closes the connection.
    if (size >= MOST_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, MOST_BYTES);
}

function webAddress(written: string, page: URL): string | undefined {
  const url = URL.parse(written, page.href);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
