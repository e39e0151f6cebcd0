/** The characters of an address in a card, and of one in a button. */
const LONGEST = { card: 2_048, button: 512 } as const;

/**
 * An address of the web as Discord accepts it. Undefined if Discord would refuse the whole message because of it: it is too long, or its host
 * has no dot: https://github.com/bugsink/bugsink/issues/280.
 */
export function acceptedAddress(url: string | undefined, longest: number = LONGEST.card): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { href, protocol, hostname } = new URL(url);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  if (!isWeb || !/[.:]/u.test(hostname)) return undefined;
  // An escaped character of another script takes six to twelve characters.
  return [href, url].find((one) => one.length <= longest && !/\s/u.test(one));
}

/** {@link acceptedAddress} of a picture, which can be a file of the message. */
export function acceptedPicture(url: string | undefined): string | undefined {
  return url !== undefined && /^attachment:\/\//iu.test(url) ? url : acceptedAddress(url);
}

/** {@link acceptedAddress} of a button, which can open a page of Discord. */
export function acceptedLink(url: string | undefined): string | undefined {
  if (url === undefined || !/^discord:\/\//iu.test(url)) return acceptedAddress(url, LONGEST.button);
  return url.length <= LONGEST.button ? url : undefined;
}
