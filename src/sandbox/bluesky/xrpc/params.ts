import { z } from 'zod';
import { isActor, fromAtUri, isDid, isNsid, isRecordKey } from '../data/at-uri.ts';
import { isCid } from '../data/cid.ts';

/** The parameters of a query, each as often as it was given. */
export type GivenParams = Readonly<Record<string, readonly string[]>>;

export const AtUri = z.string().refine((text) => fromAtUri(text) !== undefined, 'must be a valid at-uri');
export const Actor = z.string().refine(isActor, 'must be a valid did or a handle');
export const Did = z.string().refine(isDid, 'must be a valid did');
export const Nsid = z.string().refine(isNsid, 'must be a valid nsid');
export const Cid = z.string().refine(isCid, 'must be a cid string');
export const RecordKey = z.string().refine(isRecordKey, 'must be a valid Record Key');
export const StrongRef = z.looseObject({ uri: AtUri, cid: Cid });

const last = z
  .array(z.string())
  .min(1)
  .transform((values) => values.at(-1) ?? '');

/** A parameter that is given once. */
export function one<T extends z.ZodType<unknown, string>>(form: T): z.ZodPipe<typeof last, T> {
  return last.pipe(form);
}

/** A parameter that may be given several times. */
export function many<T extends z.ZodType<unknown, string>>(form: T, most = Infinity): z.ZodArray<T> {
  return z.array(form).max(most === Infinity ? Number.MAX_SAFE_INTEGER : most);
}

export const text = one(z.string());
export const flag = one(z.enum(['true', 'false']).transform((word) => word === 'true'));

/** A whole number with bounds. */
export function whole({ least = 1, most, usual }: { readonly least?: number; readonly most: number; readonly usual: number }) {
  return one(z.coerce.number<string>().int().min(least).max(most)).default(usual);
}

/** Which part of a list is asked for. */
export function paging({ usual = 50 }: { readonly usual?: number } = {}) {
  return { limit: whole({ most: 100, usual }), cursor: text.optional() };
}
