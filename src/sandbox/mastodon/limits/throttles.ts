import type { LimitName, Spending } from './limits.ts';

const MEDIA = /^\/api\/v\d+\/media$/;
const UNREBLOG = /^\/api\/v1\/statuses\/\w+\/unreblog$/;
const STATUS = /^\/api\/v1\/statuses\/\w+$/;
const PAGING = ['page', 'min_id', 'max_id', 'since_id'];

export interface ThrottledRequest {
  readonly method: string;
  /** From `/api` on. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Whose request it is: a token that was given out, and for whom; absent: anybody's. */
  readonly token: { readonly value: string; readonly userId: string | undefined } | undefined;
}

/** What a request counts for before anybody looks at what it wants. */
export function spendingsOf({ method, path, query, token }: ThrottledRequest): readonly Spending[] {
  const userId = token?.userId;
  const isPaging = PAGING.some((name) => query.has(name));
  if (userId === undefined) {
    const anonymous = { name: 'anonymous', who: 'address' } as const;
    const perToken = token && ({ name: 'token', who: token.value } as const);
    return [...(perToken ? [perToken] : []), anonymous, ...(isPaging ? [{ name: 'paging', who: 'address' } as const] : [])];
  }
  const names: readonly LimitName[] = [
    'user',
    ...(method === 'POST' && MEDIA.test(path) ? ['media' as const] : []),
    ...(isPaging ? ['paging' as const] : []),
    ...((method === 'POST' && UNREBLOG.test(path)) || (method === 'DELETE' && STATUS.test(path)) ? ['deletes' as const] : []),
  ];
  return [{ name: 'token', who: token?.value ?? '' }, ...names.map((name) => ({ name, who: userId }))];
}
