import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { BlockList, isIP } from 'node:net';
import { isLoopback } from '#src/web/host-check.ts';

/** The sender of a request. */
export interface Client {
  readonly address: string;
  /** Whether the browser uses HTTPS, as a trusted proxy states. */
  readonly isHttps: boolean;
}

/** Reads the sender of requests. Only the headers of trusted proxies count: addresses, or networks as `10.0.0.0/8`. */
export function clientsBehind(trustedProxies: readonly string[]): (c: Context) => Client {
  const trusted = new BlockList();
  for (const one of trustedProxies) {
    const [address = '', bits] = one.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    trusted.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  const isTrusted = (address: string): boolean => {
    const version = isIP(address);
    return version !== 0 && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };

  return (c) => {
    const nearest = plainAddress(getConnInfo(c).remote.address ?? '');
    if (!isTrusted(nearest)) return { address: nearest, isHttps: false };
    // The last entry is from the nearest proxy. Only entries of trusted proxies count, because a client can send the rest.
    const chain = valuesOf(c, 'x-forwarded-for').map(plainAddress);
    const address = chain.findLast((one) => !isTrusted(one)) ?? chain[0] ?? nearest;
    return { address: isIP(address) === 0 ? nearest : address, isHttps: valuesOf(c, 'x-forwarded-proto').at(-1) === 'https' };
  };
}

/** Whether a program on this machine opened the connection. It may be a proxy. */
export function isConnectedHere(c: Context): boolean {
  return isLoopback(plainAddress(getConnInfo(c).remote.address ?? ''));
}

function valuesOf(c: Context, header: string): readonly string[] {
  return (c.req.header(header) ?? '').split(',').map((value) => value.trim());
}

/** An IPv4 address in IPv6 form becomes a plain one. A zone is dropped. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/iu, '').replace(/%.*$/u, '');
}
