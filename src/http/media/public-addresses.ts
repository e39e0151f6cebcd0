import { BlockList, isIP, isIPv6 } from 'node:net';

/** IPv4 networks outside the open internet: https://www.iana.org/assignments/iana-ipv4-special-registry */
const SPECIAL_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure serves settings and secrets of its machines at this public-looking address.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** The only IPv6 network with public hosts. Other addresses can lead to an IPv4 address of the local network. */
const PUBLIC_IPV6 = ['2000::', 3] as const;

/** Networks within it that are outside the open internet: https://www.iana.org/assignments/iana-ipv6-special-registry */
const SPECIAL_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  // Protocols such as Teredo hold an IPv4 address.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 holds an IPv4 address.
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6');
const publicIpv6 = new BlockList();
publicIpv6.addSubnet(...PUBLIC_IPV6, 'ipv6');

/** Whether an IP address belongs to the open internet. */
export function isPublic(address: string): boolean {
  if (!isIPv6(address)) return !special.check(address, 'ipv4');
  return publicIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** Whether a server is on this machine or a private network, as the sandbox is. */
export function isNearby(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || (isIP(host) > 0 && !isPublic(host));
}
