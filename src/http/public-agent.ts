import { isIP } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { Forbidden, publicLookup } from './media/open-address.ts';
import { isPublic } from './media/public-addresses.ts';

/** Connections for requests to an address. Throws {@link Forbidden} for a server outside the open internet, unless `mayBePrivate`. */
export function publicAgent(
  { hostname }: URL,
  { mayBePrivate }: { readonly mayBePrivate: boolean },
): { readonly dispatcher: Dispatcher } & AsyncDisposable {
  const host = hostname.replace(/^\[|\]$/gu, '');
  if (!mayBePrivate && isIP(host) > 0 && !isPublic(host)) throw new Forbidden();
  // The check covers the addresses of the connection, so a name cannot change its address afterwards.
  const dispatcher = new Agent({ connect: mayBePrivate ? {} : { lookup: publicLookup(isPublic) } });
  return { dispatcher, [Symbol.asyncDispose]: () => dispatcher.destroy() };
}
