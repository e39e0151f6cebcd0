import type { FormData } from 'undici';

type Scalar = string | number | boolean;

/** Parameters of an address; a list is repeated, what is undefined is left out. */
export type Query = Readonly<Record<string, Scalar | readonly Scalar[] | undefined>>;

/** What a request carries, in one of the three ways. */
export interface Content {
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | FormData | undefined;
}

/** The address of `path` below `baseUrl`. */
export function urlOf(baseUrl: string, path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value = []] of Object.entries(query)) {
    for (const one of [value].flat()) search.append(name, String(one));
  }
  const address = baseUrl.replace(/\/+$/, '') + path;
  return search.size === 0 ? address : `${address}?${search.toString()}`;
}

/** All headers, names in lower case; a later one replaces an earlier one. */
export function mergeHeaders(...all: readonly (Readonly<Record<string, string>> | undefined)[]): Readonly<Record<string, string>> {
  const merged: Record<string, string> = {};
  for (const headers of all) {
    for (const [name, value] of Object.entries(headers ?? {})) merged[name.toLowerCase()] = value;
  }
  return merged;
}

/** The body, with the header that says what it is. */
export function bodyOf({ json, form, body }: Content): {
  readonly body: string | Uint8Array | FormData | undefined;
  readonly headers: Readonly<Record<string, string>>;
} {
  if (json !== undefined) return { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } };
  if (!form) return { body, headers: {} };
  return { body: new URLSearchParams(form).toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } };
}
