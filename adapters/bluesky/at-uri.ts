/** Where a record is: whose, of which kind, under which key. */
export interface RecordPlace {
  readonly did: string;
  readonly collection: string;
  readonly rkey: string;
}

const AT_URI = /^at:\/\/([^/?#\s]+)\/([a-zA-Z0-9.-]+)\/([a-zA-Z0-9._~:-]{1,512})$/;

/** The parts of an `at://` address of a record; whose it is may be a DID or a handle. */
export function parseAtUri(text: string): { readonly authority: string; readonly collection: string; readonly rkey: string } | undefined {
  const [, authority, collection, rkey] = AT_URI.exec(text) ?? [];
  return authority && collection && rkey ? { authority, collection, rkey } : undefined;
}

/** The place that an `at://` address with a DID names. */
export function placeOf(uri: string): RecordPlace | undefined {
  const parts = parseAtUri(uri);
  return parts && isDid(parts.authority) ? { did: parts.authority, collection: parts.collection, rkey: parts.rkey } : undefined;
}

export function atUri({ did, collection, rkey }: RecordPlace): string {
  return `at://${did}/${collection}/${rkey}`;
}

export function isDid(text: string): boolean {
  return /^did:[a-z]+:[a-zA-Z0-9._:%-]*[a-zA-Z0-9._-]$/.test(text);
}

const HANDLE = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A handle as the protocol compares it; undefined where nobody can have it. */
export function toHandle(text: string): string | undefined {
  const handle = text.replace(/^@/, '').toLowerCase();
  return handle.length <= 253 && HANDLE.test(handle) ? handle : undefined;
}
