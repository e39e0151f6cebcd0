import type { IncomingMessage } from 'node:http';
import { PlatformError, type Fault } from '#src/errors.ts';
import { Forbidden, opener } from './open-address.ts';
import { sizeText } from './medium.ts';

/** A whole file may take this many times the idle limit: enough for a video over a slow line. */
const MOST_WAITS = 20;

export interface FilesOptions {
  /** The platform that receives the files, as errors name it. */
  readonly platform: string;
  readonly mostBytes: number | FileLimit;
  /** The origin of the account's server. Only this server may be on a private network. */
  readonly accountOrigin?: string | undefined;
  /** The longest pause between two pieces of the file; default 15 s. */
  readonly patienceMs?: number | undefined;
}

/** The most bytes of a file, for a file that has this many or more. */
export type FileLimit = (sizeBytes: number, signal?: AbortSignal) => Promise<number>;

interface FetchedFile {
  /** The last segment of the requested address, as letters, digits, dots, dashes and underscores. */
  readonly name: string;
  /** The content type that the server states. */
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Fetches a file for a platform. */
export type FetchFile = (address: string, signal?: AbortSignal) => Promise<FetchedFile>;

/** Creates a function that fetches files from the open internet and from the account's server. */
export function filesFrom({ platform, mostBytes, accountOrigin, patienceMs = 15_000 }: FilesOptions): FetchFile {
  const open = opener({ accountOrigin });

  function failed({ hostname }: URL, fault: Fault, why: string, cause?: unknown): PlatformError {
    return new PlatformError(`The file at ${hostname} cannot be attached: ${why}.`, { platform, fault, cause });
  }

  async function read(answer: IncomingMessage, url: URL, onData: () => void, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Buffer[] = [];
    let size = 0;
    let most = typeof mostBytes === 'number' ? mostBytes : await mostBytes(0, signal);
    for await (const piece of answer) {
      if (!Buffer.isBuffer(piece)) continue;
      onData();
      size += piece.length;
      if (size > most && typeof mostBytes !== 'number') most = await mostBytes(size, signal);
      if (size > most) throw failed(url, 'rejected', `it is larger than ${sizeText(most)}`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  async function get(address: URL, signal: AbortSignal, onData: () => void): Promise<Omit<FetchedFile, 'name'>> {
    const { answer, url } = await open(address, signal);
    const { statusCode: status = 0, headers } = answer;
    if (status !== 200) {
      answer.destroy();
      throw failed(url, status >= 500 || status === 429 ? 'unavailable' : 'rejected', `it was answered with ${status}`);
    }
    return { contentType: contentTypeOf(headers['content-type']), bytes: await read(answer, url, onData, signal) };
  }

  return async (address, signal) => {
    const url = new URL(address);
    const idle = new AbortController();
    const waiting = setTimeout(() => idle.abort(), patienceMs);
    const late = AbortSignal.any([idle.signal, AbortSignal.timeout(patienceMs * MOST_WAITS)]);
    try {
      return { name: fileNameOf(address), ...(await get(url, signal ? AbortSignal.any([signal, late]) : late, () => waiting.refresh())) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof PlatformError) throw error;
      if (error instanceof Forbidden) throw failed(url, 'rejected', error.message, error);
      throw failed(url, 'unavailable', late.aborted ? 'it takes too long' : 'it gives no answer', error);
    } finally {
      clearTimeout(waiting);
    }
  };
}

/** The name of an attachment: the last segment of its address. */
export function fileNameOf(address: string): string {
  const last = new URL(address).pathname.split('/').at(-1) ?? '';
  return toFileName(last);
}

/** A file name with the characters that Discord allows. */
export function toFileName(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '_').slice(-80) || 'file';
}

/** The media type in a header, without characters that a request header cannot hold. */
function contentTypeOf(header = ''): string {
  return /^[\w.+-]+\/[\w.+-]+/.exec(header)?.[0] ?? 'application/octet-stream';
}
