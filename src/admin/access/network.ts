/** The network of an address, for limits: one machine may use all addresses of an IPv6 network of 64 bits. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [before = '', after] = address.split('::');
  const head = before.split(':');
  const tail = after?.split(':') ?? [];
  const groups = [...head, ...Array.from({ length: Math.max(8 - head.length - tail.length, 0) }, () => '0'), ...tail];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16) || 0)
    .join(':');
}
