/** The address of the app that shows records. */
const APP = 'https://bsky.app';

/** The handle of an account whose handle no longer resolves. */
export const NO_HANDLE = 'handle.invalid';

/** The owner of a record. URLs contain the handle as long as it resolves. */
interface Owner {
  readonly did: string;
  readonly handle?: string | undefined;
}

export function profileUrl({ did, handle = did }: Owner): string {
  return `${APP}/profile/${handle === NO_HANDLE ? did : handle}`;
}

export function postUrl(author: Owner, rkey: string): string {
  return `${profileUrl(author)}/post/${rkey}`;
}

export function listUrl(creator: Owner, rkey: string): string {
  return `${profileUrl(creator)}/lists/${rkey}`;
}

export function feedUrl(creator: Owner, rkey: string): string {
  return `${profileUrl(creator)}/feed/${rkey}`;
}

export function tagUrl(tag: string): string {
  return `${APP}/hashtag/${encodeURIComponent(tag)}`;
}

export function conversationUrl(id: string): string {
  return `${APP}/messages/${id}`;
}

/** A link of the app's own, for example `/profile/ada.bsky.social/feed/games`, as an address. */
export function appUrl(link: string): string | undefined {
  return URL.canParse(link, APP) ? new URL(link, APP).href : undefined;
}

/** The collections of posts and of reposts. */
export const POST = 'app.bsky.feed.post';
export const REPOST = 'app.bsky.feed.repost';

/** The collections of records, by the part of the address. */
const COLLECTIONS: ReadonlyMap<string, string> = new Map([
  ['post', POST],
  ['lists', 'app.bsky.graph.list'],
  ['feed', 'app.bsky.feed.generator'],
]);

/** The user and the record at an address of the app. The address of a profile has no record. */
export function readAddress(
  address: string,
): { readonly actor: string; readonly record?: { readonly collection: string; readonly rkey: string } } | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const [, profile, actor, kind, rkey] = new URL(address).pathname.split('/').map(decoded);
  if (profile !== 'profile' || !actor) return undefined;
  const collection = COLLECTIONS.get(kind ?? '');
  return collection !== undefined && rkey ? { actor, record: { collection, rkey } } : { actor };
}

/** A part with a wrong encoding is empty. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

/** The address of a record: its owner, its collection and its key. */
export interface RecordAddress {
  readonly did: string;
  readonly collection: string;
  readonly rkey: string;
}

const AT_URI = /^at:\/\/([^/?#\s]+)\/([a-zA-Z0-9.-]+)\/([a-zA-Z0-9._~:-]{1,512})$/;

/** The parts of an `at://` address of a record. The authority is a DID or a handle. */
export function parseAtUri(text: string): { readonly authority: string; readonly collection: string; readonly rkey: string } | undefined {
  const [, authority, collection, rkey] = AT_URI.exec(text) ?? [];
  return authority && collection && rkey ? { authority, collection, rkey } : undefined;
}

/** The place that an `at://` address with a DID names. */
export function parseRecordUri(uri: string): RecordAddress | undefined {
  const parts = parseAtUri(uri);
  return parts && isDid(parts.authority) ? { did: parts.authority, collection: parts.collection, rkey: parts.rkey } : undefined;
}

export function atUri({ did, collection, rkey }: RecordAddress): string {
  return `at://${did}/${collection}/${rkey}`;
}

export function isDid(text: string): boolean {
  return /^did:[a-z]+:[a-zA-Z0-9._:%-]*[a-zA-Z0-9._-]$/.test(text);
}

const HANDLE = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A handle in normal form; undefined if it is not a valid handle. */
export function toHandle(text: string): string | undefined {
  const handle = text.replace(/^@/, '').toLowerCase();
  return handle.length <= 253 && HANDLE.test(handle) ? handle : undefined;
}
