/** What a person can allow an app. */
export const SCOPES: ReadonlySet<string> = new Set([
  'tweet.read',
  'tweet.write',
  'tweet.moderate.write',
  'users.email',
  'users.read',
  'follows.read',
  'follows.write',
  'offline.access',
  'space.read',
  'mute.read',
  'mute.write',
  'like.read',
  'like.write',
  'list.read',
  'list.write',
  'block.read',
  'block.write',
  'bookmark.read',
  'bookmark.write',
  'dm.read',
  'dm.write',
  'media.write',
  'timeline.read',
]);

/** Parts of a `scope`, which are parted by blanks. */
export function scopesIn(text: string): readonly string[] {
  return [...new Set(text.split(/\s+/).filter((scope) => scope !== ''))];
}
