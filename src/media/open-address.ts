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
  /** The origin of the account's own server, the only one that may be on this machine or its network. */
  readonly accountOrigin?: string | undefined;
  /** The types that are asked for; absent: all. */
  readonly accept?: string | undefined;
  /** Which IP addresses are of the open internet. */
  readonly isOpen?: ((address: string) => boolean) | undefined;
}

/** Requests addresses of the open internet only: an address that came from a platform must not reach servers behind the firewall. */
export function opener({
  accountOrigin,
  accept = '*/*',
  isOpen = isPublic,
}: OpenOptions): (url: URL, signal: AbortSignal) => Promise<Opened> {
  // Checks the addresses that the connection is made to, so that a name cannot change its address after a check.
  const publicLookup: LookupFunction = (host, options, found) =>
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const allowed = addresses?.filter(({ address }) => isOpen(address)) ?? [];
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
    const lookup = url.origin === accountOrigin ? undefined : publicLookup;
    request(url, { lookup, signal, headers, agent: false }, answered).on('error', reject).on('close', ended).end();
    return promise;
  }

  async function open(url: URL, signal: AbortSignal, redirects: number): Promise<Opened> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const isForbidden = isIP(host) > 0 && url.origin !== accountOrigin && !isOpen(host);
    if (!/^https?:$/.test(url.protocol) || isForbidden) throw new Forbidden();
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
