import type { FormData } from 'undici';

type Scalar = string | number | boolean;

/** Query parameters; a list repeats the parameter, and undefined values are omitted. */
export type Query = Readonly<Record<string, Scalar | readonly Scalar[] | undefined>>;

/** The body of a request, in one of three forms. */
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

/** The body with its content type. */
export function bodyOf({ json, form, body }: Content): {
  readonly body: string | Uint8Array | FormData | undefined;
  readonly headers: Readonly<Record<string, string>>;
} {
  if (json !== undefined) return { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } };
  if (!form) return { body, headers: {} };
  return { body: new URLSearchParams(form).toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } };
}

/** The `Authorization` header of HTTP basic authentication. */
export function basicAuthorization(name: string, secret: string): string {
  return `Basic ${Buffer.from([name, secret].map(encodeURIComponent).join(':')).toString('base64')}`;
}
