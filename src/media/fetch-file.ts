import { lookup as resolve } from 'node:dns';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { PlatformError, type Fault } from '#src/errors.ts';
import { isPublic } from './public-addresses.ts';
import { sizeText } from './size-text.ts';

const PATIENCE_MS = 15_000;
const MOST_REDIRECTS = 3;
const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308];

export interface FilesOptions {
  /** The platform that they are for, as errors name it. */
  readonly platform: string;
  readonly mostBytes: number;
  /** Whether files of this machine and of its network may be fetched, as they are in a sandbox. */
  readonly anywhere: boolean;
}

interface FetchedFile {
  /** Letters, digits, dots, dashes and underscores: the end of the address which was asked for. */
  readonly name: string;
  /** As its server says. */
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Fetches a file that goes to a platform. */
export type FetchFile = (address: string, signal?: AbortSignal) => Promise<FetchedFile>;

/** Fetches from the open internet only: an address that came from a platform must not show what is behind the firewall. */
export function filesFrom({ platform, mostBytes, anywhere }: FilesOptions): FetchFile {
  const lookup: LookupFunction = (host, options, found) =>
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const allowed = addresses?.filter(({ address }) => anywhere || isPublic(address)) ?? [];
      const [first] = allowed;
      if (error) found(error, '');
      else if (!first) found(new Forbidden(), '');
      else if (options.all) found(null, allowed);
      else found(null, first.address, first.family);
    });

  function failed({ hostname }: URL, fault: Fault, why: string, cause?: unknown): PlatformError {
    return new PlatformError(`The file at ${hostname} cannot be attached: ${why}.`, { platform, fault, cause });
  }

  async function read(answer: IncomingMessage, url: URL): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of answer) {
      if (!Buffer.isBuffer(piece)) continue;
      size += piece.length;
      if (size > mostBytes) throw failed(url, 'rejected', `it is larger than ${sizeText(mostBytes)}`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  async function get(url: URL, signal: AbortSignal, redirects = 0): Promise<Omit<FetchedFile, 'name'>> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (!/^https?:$/.test(url.protocol) || (isIP(host) > 0 && !anywhere && !isPublic(host))) throw new Forbidden();
    const answer = await ask(url, lookup, signal);
    const { statusCode: status = 0, headers } = answer;
    if (REDIRECTS.includes(status) && headers.location !== undefined && redirects < MOST_REDIRECTS) {
      answer.destroy();
      return get(new URL(headers.location, url), signal, redirects + 1);
    }
    if (status !== 200) {
      answer.destroy();
      throw failed(url, status >= 500 || status === 429 ? 'unavailable' : 'rejected', `it was answered with ${status}`);
    }
    return { contentType: contentTypeOf(headers['content-type']), bytes: await read(answer, url) };
  }

  return async (address, signal) => {
    const url = new URL(address);
    const late = AbortSignal.timeout(PATIENCE_MS);
    try {
      return { name: fileNameOf(address), ...(await get(url, signal ? AbortSignal.any([signal, late]) : late)) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof PlatformError) throw error;
      if (error instanceof Forbidden) throw failed(url, 'rejected', 'it is not an address of the open internet', error);
      throw failed(url, 'unavailable', late.aborted ? 'it takes too long' : 'it gives no answer', error);
    }
  };
}

class Forbidden extends Error {
  override readonly name = 'Forbidden';
}

function ask(url: URL, lookup: LookupFunction, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>();
  const request = url.protocol === 'https:' ? secureRequest : plainRequest;
  const headers = { 'user-agent': 'Fanfare (self-hosted announcements)', accept: '*/*' };
  request(url, { lookup, signal, headers, agent: false }, answered).on('error', reject).end();
  return promise;
}

/** What a file is called as an attachment: the end of its address. */
export function fileNameOf(address: string): string {
  const last = new URL(address).pathname.split('/').at(-1) ?? '';
  return toFileName(last);
}

/** A name as Discord takes it. */
export function toFileName(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '_').slice(-80) || 'file';
}

/** What a header can hold, and nothing else. */
function contentTypeOf(said = ''): string {
  return /^[\w.+-]+\/[\w.+-]+/.exec(said)?.[0] ?? 'application/octet-stream';
}
