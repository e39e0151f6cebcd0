import type { IncomingMessage } from 'node:http';
import { PlatformError, type Fault } from '#src/errors.ts';
import { Forbidden, opener } from './open-address.ts';
import { sizeText } from './size-text.ts';

/** So many times as long as it may say nothing, a whole file may take: a video over a slow line, and nothing that trickles for ever. */
const MOST_WAITS = 20;

export interface FilesOptions {
  /** The platform that they are for, as errors name it. */
  readonly platform: string;
  readonly mostBytes: number;
  /** The origin of the account's own server, the only one that may be on this machine or its network. */
  readonly accountOrigin?: string | undefined;
  /** How long its server may say nothing; 15 s if absent. */
  readonly patienceMs?: number | undefined;
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

/** Fetches from the open internet and from the account's own server. */
export function filesFrom({ platform, mostBytes, accountOrigin, patienceMs = 15_000 }: FilesOptions): FetchFile {
  const open = opener({ accountOrigin });

  function failed({ hostname }: URL, fault: Fault, why: string, cause?: unknown): PlatformError {
    return new PlatformError(`The file at ${hostname} cannot be attached: ${why}.`, { platform, fault, cause });
  }

  async function read(answer: IncomingMessage, url: URL, heard: () => void): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of answer) {
      if (!Buffer.isBuffer(piece)) continue;
      heard();
      size += piece.length;
      if (size > mostBytes) throw failed(url, 'rejected', `it is larger than ${sizeText(mostBytes)}`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  async function get(address: URL, signal: AbortSignal, heard: () => void): Promise<Omit<FetchedFile, 'name'>> {
    const { answer, url } = await open(address, signal);
    const { statusCode: status = 0, headers } = answer;
    if (status !== 200) {
      answer.destroy();
      throw failed(url, status >= 500 || status === 429 ? 'unavailable' : 'rejected', `it was answered with ${status}`);
    }
    return { contentType: contentTypeOf(headers['content-type']), bytes: await read(answer, url, heard) };
  }

  return async (address, signal) => {
    const url = new URL(address);
    const silent = new AbortController();
    const waiting = setTimeout(() => silent.abort(), patienceMs);
    const late = AbortSignal.any([silent.signal, AbortSignal.timeout(patienceMs * MOST_WAITS)]);
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
