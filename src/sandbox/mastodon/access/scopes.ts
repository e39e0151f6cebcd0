/** What a token may be asked for; the first part alone has all that begins with it. */
export const SCOPES: readonly string[] = [
  'profile',
  'read',
  ...['accounts', 'blocks', 'bookmarks', 'favourites', 'filters', 'follows', 'lists', 'mutes', 'notifications', 'search', 'statuses'].map(
    (topic) => `read:${topic}`,
  ),
  'write',
  ...[
    'accounts',
    'blocks',
    'bookmarks',
    'conversations',
    'favourites',
    'filters',
    'follows',
    'lists',
    'media',
    'mutes',
    'notifications',
    'reports',
    'statuses',
  ].map((topic) => `write:${topic}`),
  'follow',
  'push',
];

/** What `follow` alone opened before there were finer scopes. */
const FOLLOW = new Set(['read:blocks', 'write:blocks', 'read:follows', 'write:follows', 'read:mutes', 'write:mutes']);

/** The scopes of a text; undefined where there is one that does not exist. */
export function scopesIn(text: string): readonly string[] | undefined {
  const scopes = text.split(/[\s+]+/).filter((scope) => scope !== '');
  return scopes.every((scope) => SCOPES.includes(scope)) ? scopes : undefined;
}

/** Whether those who have `granted` may do what needs `wanted`, as `write:statuses`. */
export function isWithin(wanted: string, granted: readonly string[]): boolean {
  const [whole = ''] = wanted.split(':');
  return granted.includes(wanted) || granted.includes(whole) || (granted.includes('follow') && FOLLOW.has(wanted));
}
