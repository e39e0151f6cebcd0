/** What `at://` addresses name: a record of a repository. */
export interface RecordAddress {
  /** A DID, or a handle where somebody else wrote the address. */
  readonly repo: string;
  readonly collection: string;
  readonly rkey: string;
}

const ADDRESS = /^at:\/\/([^/]+)\/([^/]+)\/([^/#?]+)$/;
const RECORD_KEY = /^(?!\.{1,2}$)[A-Za-z0-9._:~-]{1,512}$/;
const NSID = /^[a-zA-Z](?:[a-zA-Z0-9-]{0,62})?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+\.[a-zA-Z][a-zA-Z0-9]{0,62}$/;
const DID = /^did:[a-z]+:[a-zA-Z0-9._:%-]*[a-zA-Z0-9._-]$/;
const HANDLE = /^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;

export function toAtUri({ repo, collection, rkey }: RecordAddress): string {
  return `at://${repo}/${collection}/${rkey}`;
}

/** The record that an address names; undefined where it is not the address of one. */
export function fromAtUri(uri: string): RecordAddress | undefined {
  const [, repo, collection, rkey] = ADDRESS.exec(uri) ?? [];
  if (repo === undefined || collection === undefined || rkey === undefined) return undefined;
  return isActor(repo) && isNsid(collection) && isRecordKey(rkey) ? { repo, collection, rkey } : undefined;
}

export function isRecordKey(text: string): boolean {
  return RECORD_KEY.test(text);
}

/** Whether it is the name of a collection or a method. */
export function isNsid(text: string): boolean {
  return NSID.test(text);
}

export function isDid(text: string): boolean {
  return DID.test(text);
}

function isHandle(text: string): boolean {
  return text.length <= 253 && HANDLE.test(text);
}

/** Whether it is a DID or a handle. */
export function isActor(text: string): boolean {
  return isDid(text) || isHandle(text);
}
