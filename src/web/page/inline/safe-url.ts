/** An address that a browser may open; undefined for other schemes such as `javascript:` and `file:`. */
export function safeUrl(address: string | undefined): string | undefined {
  return withProtocol(address, ['http:', 'https:']);
}

/** An address that a browser may show as a picture. */
export function imageUrl(address: string | undefined): string | undefined {
  return withProtocol(address, ['http:', 'https:', 'data:']);
}

function withProtocol(address: string | undefined, protocols: readonly string[]): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  return url && protocols.includes(url.protocol) ? url.href : undefined;
}
