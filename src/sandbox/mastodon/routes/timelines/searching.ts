import { isAbout, says } from '../../../social/search.ts';
import { spelledHashtagsIn } from '../../../social/hashtags.ts';
import type { StoredPost } from '../../../social/posts.ts';
import type { WorldPerson } from '../../../world/world.ts';
import { visibilityOf } from '../../posts/visibility.ts';
import { findStatus } from '../../posts/finding.ts';
import type { Visit } from '../../visit.ts';

/** People who are called so or say it of themselves; whoever is meant by the very name stands first. */
export function peopleAbout(query: string, { ground, moment, viewer }: Visit): readonly WorldPerson[] {
  const wanted = query.trim().replace(/^@/, '');
  if (wanted === '') return [];
  const named = ground.directory.findAcct(wanted) ?? personAt(wanted, { ground });
  // A name with its server, or an address, means one person and nobody beside.
  if (wanted.includes('@') || URL.canParse(wanted)) return named ? [named] : [];
  const { people, relations } = moment;
  const about = people.all.filter(
    (person) => person !== named && isAbout(person, wanted) && !(viewer && relations.parted(viewer.id, person.id)),
  );
  const counted = about.map((person) => ({ person, followers: relations.followersOf(person.id).length }));
  const others = counted.toSorted((a, b) => b.followers - a.followers).map(({ person }) => person);
  return [...(named ? [named] : []), ...others];
}

/** Posts with a word, newest first: those that everybody sees, and the viewer's own. */
export function postsAbout(query: string, { ground, moment, viewer }: Visit): readonly StoredPost[] {
  const isOpen = (post: StoredPost): boolean => visibilityOf(post, ground) === 'public' || post.authorId === viewer?.id;
  return moment.feed.all().filter((post) => isOpen(post) && says(post, query));
}

/** The names of hashtags that begin so, without #. */
export function tagsAbout(query: string, { moment, ground }: Visit): readonly string[] {
  const wanted = query.trim().replace(/^#/, '').toLowerCase();
  const posts = moment.feed.all().filter((post) => visibilityOf(post, ground) === 'public');
  const named = new Map(posts.flatMap(({ text }) => spelledHashtagsIn(text)).map((tag) => [tag.slice(1).toLowerCase(), tag.slice(1)]));
  return [...named].filter(([name]) => wanted !== '' && name.startsWith(wanted)).map(([, spelt]) => spelt);
}

/** The post at an address, here or elsewhere. */
export function postAt(address: string, found: Visit): StoredPost | undefined {
  const { pathname } = URL.canParse(address) ? new URL(address) : { pathname: '' };
  const [, id] = /\/(?:@[^/]+|users\/[^/]+\/statuses)\/([^/]+)$/.exec(pathname) ?? [];
  const post = id === undefined ? undefined : findStatus(id, found);
  const author = post && found.ground.stage.people.find(post.authorId);
  // An id says nothing where it stands below another's name.
  return author && pathname.includes(`/@${author.handle}/`) === !pathname.includes(`/users/${author.handle}/`) ? post : undefined;
}

function personAt(address: string, { ground }: Pick<Visit, 'ground'>): WorldPerson | undefined {
  const [, username] = /^https?:\/\/[^?#]*\/(?:@|users\/)([^/@]+)$/.exec(address) ?? [];
  const person = username === undefined ? undefined : ground.stage.people.find(username);
  return person && [ground.directory.addressOf(person), ground.directory.uriOf(person)].includes(address) ? person : undefined;
}
