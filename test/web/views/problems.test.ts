import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Problem } from '#src/web/client/records.ts';
import { problemText, PROBLEM_TEXTS } from '#src/web/views/texts/problems.ts';
import { englishIn } from '../../support/reasons.ts';

/** Codes of requests that the page does not send. */
const OF_PROGRAMS = new Set([
  'hostNotAllowed',
  'proxyNotAllowed',
  'methodNotAllowed',
  'notFound',
  'unsupportedMediaType',
  'tooManyRequests',
  'keyReused',
  'keyNotAllowed',
  'invalidKey',
  'invalidPayload',
  'notProven',
  'notStored',
  'subscriptionNotFound',
  'tooSlow',
  'webhookNotFound',
]);

function problem(code: string, rest: Partial<Problem> = {}): Problem {
  return { type: 'about:blank', title: 'Conflict', status: 409, code, detail: 'No more.', ...rest };
}

/** The codes that the sources give to problems and refusals. */
function codesInSources(): ReadonlySet<string> {
  const files = globSync(['src/web/**/*.ts', 'src/admin/**/*.ts', 'src/app/**/*.ts'], {
    exclude: ['src/web/client/**', 'src/web/api/records.ts'],
  });
  const pattern = /(?:(?:new Refused|super|refused)\(\s*|status: \d+, code: |^\s+code: )'([a-z]\w+)'/gmu;
  const resend = /kind: '(\w+)'(?: \| '(\w+)')?(?: \| '(\w+)')?/gu;
  const [, refusals = ''] = /export type ResendRefusal =(.*?)\n\n/su.exec(readFileSync('src/admin/actions/resend.ts', 'utf8')) ?? [];
  return new Set(
    [
      ...files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, code]) => code)),
      ...[...refusals.matchAll(resend)].flatMap(([, ...kinds]) => kinds),
    ].filter((code) => code !== undefined),
  );
}

test('every code of a problem has a German text, or is of requests that the page does not send', () => {
  const codes = codesInSources();

  expect(codes.size).toBeGreaterThan(40);
  expect([...codes].filter((code) => !(code in PROBLEM_TEXTS.de) && !OF_PROGRAMS.has(code))).toEqual([]);
  expect(Object.keys(PROBLEM_TEXTS.de).filter((code) => !codes.has(code))).toEqual([]);
});

test('each refusal of an action has a separate code, for which the page has a German text', () => {
  const files = globSync(['src/admin/{actions,access}/**/*.ts', 'src/admin/accounts/redirect-parameters.ts']);

  expect(files.filter((file) => readFileSync(file, 'utf8').includes('new UserError('))).toEqual([]);
});

// The detail of an ended session is for programs.
test.for(Object.keys(PROBLEM_TEXTS.de).filter((code) => code !== 'unauthenticated'))('%s is in English as the API words it', (code) => {
  expect(problemText(problem(code), 'en')).toEqual({ text: 'No more.' });
});

test('in English, the page says what ended and which fields are wrong', () => {
  expect(problemText(problem('unauthenticated'), 'en').text).toContain('another tab');
  expect(problemText(problem('invalidBody', { errors: [{ pointer: '/name', detail: 'too long' }] }), 'en').text).toContain(
    '/name: too long',
  );
});

test.for(Object.keys(PROBLEM_TEXTS.de))('%s is in German for German readers', (code) => {
  const { text, lang } = problemText(
    problem(code, { state: 'failed', by: 'Ada', errors: [{ pointer: '/name', detail: 'too long' }] }),
    'de',
  );

  expect(lang).toBeUndefined();
  expect(text).not.toMatch(/undefined|\s{2}/u);
  expect(englishIn(text)).toBeUndefined();
});

test('a problem without a text is in English', () => {
  expect(problemText(problem('new'), 'de')).toEqual({ text: 'No more.', lang: 'en' });
});
