import { ValidationError } from '#src/errors.ts';

/** The paths of profiles on web pages of servers: `/@ada`, `/users/ada` and `/profile/ada.test`. */
const PROFILE = /^\/(?:web\/)?(?:@|users\/|profile\/)/u;

/** The remedy for an address that is not the address of a server; undefined for a valid one. */
export function serverAddressRemedy(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/u.test(url.protocol)) return 'write an address with http:// or https://';
  return PROFILE.test(url.pathname) ? `this is the address of a profile: write the address of its server, ${url.origin}` : undefined;
}

/** Checks the addresses that a caller passes to an adapter, by option; throws a `ValidationError` for the first invalid one. */
export function assertServerAddresses(platform: string, addresses: Readonly<Record<string, string | undefined>>): void {
  for (const [path, address] of Object.entries(addresses)) {
    const remedy = address === undefined ? undefined : serverAddressRemedy(address);
    if (remedy !== undefined)
      throw new ValidationError(`${platform}: ${path}: "${address}" is not the address of a server: ${remedy}`, { path });
  }
}
