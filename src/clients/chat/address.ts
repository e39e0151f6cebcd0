/** The characters of an address in a card. */
const LONGEST_ADDRESS = 2_048;
/** The characters of the address of a button. */
export const LONGEST_BUTTON_ADDRESS = 512;

/**
 * An address as Discord accepts it in a card, a picture or a button. Undefined if Discord would refuse the whole message because of it: an
 * address that is too long or not of the web, or whose host has no dot: https://github.com/bugsink/bugsink/issues/280.
 */
export function acceptedAddress(url: string | undefined, longest = LONGEST_ADDRESS): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { href, protocol, hostname } = new URL(url);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && /[.:]/u.test(hostname) && href.length <= longest ? href : undefined;
}
