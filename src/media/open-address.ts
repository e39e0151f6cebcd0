import { lookup as resolve } from 'node:dns';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublic } from './public-addresses.ts';

const MOST_REDIRECTS = 3;
const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308];

/** An answer of which nothing but its head is read. */
interface Opened {
  readonly answer: IncomingMessage;
  /** Where it came from, behind all redirects. */
  readonly url: URL;
}

export interface OpenOptions {
  /** Whether this machine and its network may be asked, as they are in a sandbox. */
  readonly anywhere: boolean;
  /** The types that are asked for; absent: all. */
  readonly accept?: string | undefined;
  /** Which IP addresses are of the open internet. */
  readonly isOpen?: ((address: string) => boolean) | undefined;
}

/** Asks the open internet only: an address that came from a platform must not show what is behind the firewall. */
export function opener({ anywhere, accept = '*/*', isOpen = isPublic }: OpenOptions): (url: URL, signal: AbortSignal) => Promise<Opened> {
  const lookup: LookupFunction = (host, options, found) =>
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const allowed = addresses?.filter(({ address }) => anywhere || isOpen(address)) ?? [];
      const [first] = allowed;
      if (error) found(error, '');
      else if (!first) found(new Forbidden(), '');
      else if (options.all) found(null, allowed);
      else found(null, first.address, first.family);
    });

  function ask(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>();
    const request = url.protocol === 'https:' ? secureRequest : plainRequest;
    const headers = { 'user-agent': 'Fanfare (self-hosted announcements)', accept };
    // Of a server that goes on in another protocol, nothing but the end is told.
    const ended = (): void => reject(new Error('it gives no answer'));
    request(url, { lookup, signal, headers, agent: false }, answered).on('error', reject).on('close', ended).end();
    return promise;
  }

  async function open(url: URL, signal: AbortSignal, redirects: number): Promise<Opened> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (!/^https?:$/.test(url.protocol) || (isIP(host) > 0 && !anywhere && !isOpen(host))) throw new Forbidden();
    const answer = await ask(url, signal);
    const { statusCode, headers } = answer;
    if (!REDIRECTS.includes(statusCode) || headers.location === undefined || redirects >= MOST_REDIRECTS) return { answer, url };
    answer.destroy();
    return open(new URL(headers.location, url), signal, redirects + 1);
  }

  return (url, signal) => open(url, signal, 0);
}

/** An address that is not to be asked. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden';
  override readonly message = 'it is not an address of the open internet';
}
