import type { Query } from '#src/http/request-parts.ts';

const LINK = /<([^>]*)>((?:\s*;\s*[\w*]+\s*=\s*(?:"[^"]*"|[^\s;,"]+))*)/gu;

/**
 * What the next page is asked for with, from a `Link` header: the parameters of its address that are not those of `query`.
 *
 * Only these go on: the address itself may name the server as its neighbours in the machine room know it.
 */
export function nextPage(header: string | readonly string[] | undefined, query: Query): string | undefined {
  const links = [header ?? []].flat().join(', ');
  for (const { 1: address = '', 2: parameters = '' } of links.matchAll(LINK)) {
    if (!/;\s*rel\s*=\s*"?(?:[^"]*\s)?next(?=["\s;,]|$)/iu.test(parameters)) continue;
    const { search } = URL.parse(address, 'http://server.invalid') ?? { search: '' };
    const more = new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => !(name in query)));
    return more.size > 0 ? more.toString() : undefined;
  }
  return undefined;
}
