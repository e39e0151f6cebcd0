import type { Post } from '#src/social/records/post.ts';
import type { WorldPerson } from '../world/world.ts';
import type { People } from './people.ts';

type Entities = Post['entities'];

/** An address, then what is none: a name or a hashtag that does not stand inside a word. */
const ENTITY = /(?<url>https?:\/\/[^\s<>"]+)|(?<![\p{L}\p{N}_])(?:@(?<handle>[A-Za-z0-9_]+)|#[\p{L}\p{N}_]*[\p{L}_][\p{L}\p{N}_]*)/gu;
/** What ends a sentence rather than an address. */
const TRAILING = /[.,:;!?'")\]}]+$/;

/** What the platform makes of a text: its addresses, the people it calls and its hashtags, in their order. */
export function entitiesOf(text: string, { people, url: home }: { readonly people: People; readonly url: string }): Entities {
  return [...text.matchAll(ENTITY)].flatMap(({ 0: found, index: start, groups: { url, handle } = {} }): Entities => {
    if (url !== undefined) {
      const address = url.replace(TRAILING, '');
      return [{ type: 'url', start, end: start + address.length, url: address }];
    }
    const end = start + found.length;
    if (handle === undefined) return [{ type: 'hashtag', start, end }];
    const person = byHandle(people, handle);
    return person ? [{ type: 'mention', start, end, url: `${home}/@${person.handle}`, userId: person.id }] : [];
  });
}

/** A name in a text is a handle, never an id. */
function byHandle(people: People, handle: string): WorldPerson | undefined {
  const person = people.find(handle);
  return person?.handle === handle.toLowerCase() ? person : undefined;
}
