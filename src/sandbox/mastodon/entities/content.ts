import type { StoredPost } from '../../social/posts.ts';
import type { Ground } from '../ground.ts';
import { escapeHtml, toHtml, urlHtml, type Links } from '../text/html.ts';

/** Where links in posts lead. */
export function linksOf({ directory, home }: Pick<Ground, 'directory' | 'home'>): Links {
  return {
    tag: (name) => tagAddress(name, home),
    person(mention) {
      const person = directory.find(mention);
      return person && { url: directory.addressOf(person), username: person.handle };
    },
  };
}

export function tagAddress(name: string, home: string): string {
  return `${home}/tags/${encodeURIComponent(name.toLowerCase())}`;
}

/** Where somebody reads a post. */
export function addressOf(post: StoredPost, { directory, ids, stage }: Ground): string {
  const author = stage.people.find(post.authorId);
  return `${author ? directory.addressOf(author) : ''}/${ids.status(post)}`;
}

/** What names a post among servers. */
export function uriOf(post: StoredPost, { directory, ids, stage }: Ground): string {
  const author = stage.people.find(post.authorId);
  return `${author ? directory.uriOf(author) : ''}/statuses/${ids.status(post)}`;
}

/** A post's text as HTML; one that quotes without a link to what it quotes begins with that link. */
export function contentOf(text: string, quoted: StoredPost | undefined, ground: Ground): string {
  const html = toHtml(text, linksOf(ground));
  if (!quoted) return html;
  const address = addressOf(quoted, ground);
  return html.includes(escapeHtml(address)) ? html : `<p class="quote-inline">RE: ${urlHtml(address)}</p>${html}`;
}
