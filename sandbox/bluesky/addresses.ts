import { z } from 'zod';
import { fromTid, isCid } from './encoding.ts';

/** The parts of an `at://` address. */
export interface RecordAddress {
  /** A DID, or a handle if another client wrote the address. */
  readonly repo: string;
  readonly collection: string;
  readonly rkey: string;
}

const ADDRESS = /^at:\/\/([^/]+)\/([^/]+)\/([^/#?]+)$/;
const RECORD_KEY = /^(?!\.{1,2}$)[A-Za-z0-9._:~-]{1,512}$/;
const NSID = /^[a-zA-Z][a-zA-Z0-9-]{0,62}(\.[a-zA-Z0-9-]{1,63})+\.[a-zA-Z][a-zA-Z0-9]{0,62}$/;
const DID = /^did:[a-z]+:[a-zA-Z0-9._:%-]*[a-zA-Z0-9._-]$/;
const HANDLE = /^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;

export function toAtUri({ repo, collection, rkey }: RecordAddress): string {
  return `at://${repo}/${collection}/${rkey}`;
}

/** The parts of the address of a record; undefined for any other text. */
export function parseAtUri(uri: string): RecordAddress | undefined {
  const [, repo = '', collection = '', rkey = ''] = ADDRESS.exec(uri) ?? [];
  return isActor(repo) && NSID.test(collection) && RECORD_KEY.test(rkey) ? { repo, collection, rkey } : undefined;
}

function isActor(text: string): boolean {
  return DID.test(text) || HANDLE.test(text);
}

export const AtUri = z.string().refine((text) => parseAtUri(text) !== undefined, 'must be a valid at-uri');
/** A DID or a handle. */
export const Actor = z.string().refine(isActor, 'must be a valid did or a handle');
export const Did = z.string().regex(DID, 'must be a valid did');
/** The name of a collection or a method. */
export const Nsid = z.string().regex(NSID, 'must be a valid nsid');
export const Cid = z.string().refine(isCid, 'must be a cid string');
export const RecordKey = z.string().regex(RECORD_KEY, 'must be a valid Record Key');
export const Tid = z.string().refine((text) => fromTid(text) !== undefined, 'record key must be a valid TID');
export const StrongRef = z.looseObject({ uri: AtUri, cid: Cid });
