import { lookup as resolve } from 'node:dns';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { USER_AGENT } from '../user-agent.ts';
import { isPublic } from './public-addresses.ts';

const MOST_REDIRECTS = 3;
const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308];

/** A response whose body is not read yet. */
interface Opened {
  readonly answer: IncomingMessage;
  /** The address after all redirects. */
  readonly url: URL;
}

export interface OpenOptions {
  /** The origin of the account's server. Only this server may be on a private network. */
  readonly accountOrigin?: string | undefined;
  /** The accepted content types; absent for all. */
  readonly accept?: string | undefined;
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether an IP address belongs to the open internet. */
  readonly isOpen?: ((address: string) => boolean) | undefined;
}

/**
 * Creates a function that requests addresses of the open internet only. An address from a platform must not reach servers behind the
 * firewall.
 */
export function opener({
  accountOrigin,
  accept = '*/*',
  headers: further,
  isOpen = isPublic,
}: OpenOptions): (url: URL, signal: AbortSignal) => Promise<Opened> {
  // The check covers the addresses of the connection, so a name cannot change its address afterwards.
  const openLookup = publicLookup(isOpen);

  function ask(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>();
    const request = url.protocol === 'https:' ? secureRequest : plainRequest;
    const headers = { 'user-agent': USER_AGENT, accept, ...further };
    // A server that switches to another protocol only closes the connection.
    const ended = (): void => reject(new Error('it gives no answer'));
    const lookup = url.origin === accountOrigin ? undefined : openLookup;
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

/** Resolves names to open addresses only. `isOpen`: whether an IP address belongs to the open internet. */
export function publicLookup(isOpen: (address: string) => boolean): LookupFunction {
  return (host, options, found) =>
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const allowed = addresses?.filter(({ address }) => isOpen(address)) ?? [];
      const [first] = allowed;
      if (error) found(error, '');
      else if (!first) found(new Forbidden(), '');
      else if (options.all) found(null, allowed);
      else found(null, first.address, first.family);
    });
}

/** The address is not on the open internet. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden';
  override readonly message = 'it is not a public internet address';
}
