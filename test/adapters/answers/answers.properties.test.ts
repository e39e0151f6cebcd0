import { describe, expect, test } from 'vitest';
import { fc, runs, seed } from '../../support/property.ts';
import { columnOf, type Form, FORMS } from './forms.ts';
import { FIXTURES, type Kind } from './fixtures.ts';
import { type Answered, answering } from './outcome.ts';
import { documented } from './table.ts';

const KINDS = ['read', 'creates', 'sets'] as const;
const STATUSES = Array.from({ length: 400 }, (_, index) => index + 200);
/** Statuses that APIs and proxies use. */
const COMMON = [
  200, 201, 202, 204, 206, 301, 302, 304, 307, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 413, 415, 418, 421, 422, 423, 425,
  429, 431, 451, 499, 500, 501, 502, 503, 504, 520, 599,
];
const NAMES = Object.keys(FORMS) as readonly Form[]; // the keys of the literal

/** The difference from the documentation, if there is one. */
function differenceOf(
  answered: Answered | undefined,
  { kind, status, form }: { readonly kind: Kind; readonly status: number; readonly form: Form },
): object | undefined {
  if (!answered) return undefined;
  const { json, page } = documented(kind, status);
  const column = columnOf(form, status);
  const allowed = column === 'json' ? json : column === 'page' ? page : json.union(page);
  const isFree = column !== 'page' || answered.tokens === 0;
  return allowed.has(answered.outcome) && isFree ? undefined : { kind, status, form, ...answered };
}

test('every status and kind of request has one row in the documentation, and no page is final', () => {
  for (const status of STATUSES) {
    for (const kind of KINDS) expect([...documented(kind, status).page], `${kind} ${status}`).not.toContain('fails');
  }
});

describe.for(Object.keys(FIXTURES))('%s', (platform) => {
  test('treats answers as documented', async () => {
    const server = await answering(platform);
    try {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...KINDS), fc.constantFrom(...COMMON), fc.constantFrom(...NAMES), async (kind, status, form) => {
          const answered = await server.ask(kind, FORMS[form](status));
          expect(differenceOf(answered, { kind, status, form })).toBeUndefined();
        }),
        { numRuns: runs(10, Math.ceil((COMMON.length * NAMES.length) / 2)) },
      );
    } finally {
      await server.close();
    }
  });

  test.runIf(runs(0, 1) > 0)('treats every status as documented', async () => {
    const server = await answering(platform);
    try {
      for (const kind of KINDS) {
        for (const form of ['refusal', 'nothing', 'page'] as const) {
          // Each run takes every fourth status, from one of the first four.
          for (const status of STATUSES.filter((_, index) => index % 4 === seed % 4)) {
            const answered = await server.ask(kind, FORMS[form](status));
            expect(differenceOf(answered, { kind, status, form })).toBeUndefined();
          }
        }
      }
    } finally {
      await server.close();
    }
  });
});
