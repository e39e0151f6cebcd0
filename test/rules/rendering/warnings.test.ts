import { describe, expect, test } from 'vitest';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import { lengthOf } from '#sandbox/mastodon/text.ts';
import { ada, scopeOf } from '../../support/rule-language.ts';
import { TEXT_LIMITS } from '../../support/text-limits.ts';
import { rendered, textsOf } from './fixture.ts';

const textLimit: TextLimit = { most: 60, lengthOf: (text) => text.length };
const title = 'word '.repeat(30).trim();
const long = { scope: scopeOf({ ...ada, title }), textLimit };

test('a text leaves room for the warning', () => {
  const [text = ''] = textsOf(rendered({ warning: 'Spoilers', text: '${{ item.title }}' }, {}, long));

  expect(text.length).toBeLessThanOrEqual(60 - 'Spoilers\n\n'.length);
  expect(text.length).toBeGreaterThan(40);
});

test('a text leaves room for a warning with a link, which counts in full on Mastodon', () => {
  const warning = 'Spoilers on https://www.twitch.tv/videos/2048?filter=archives&sort=time and @ada@example.social';

  const [text = ''] = textsOf(rendered({ warning, text: 'word '.repeat(200) }, {}, { textLimit: TEXT_LIMITS.mastodon }));

  const length = lengthOf({ text, spoilerText: warning });
  expect([length > 480, length <= 500]).toEqual([true, true]);
});

test('a long warning leaves half of the post', () => {
  const answer = rendered({ warning: '${{ item.title }}', text: '${{ item.title }}' }, {}, long);

  expect(answer).toEqual({ params: { warning: expect.stringMatching(/^.{20,30}$/u), text: expect.stringMatching(/^.{20,30}$/u) } });
});

test('the error of a text that is too long names the warning beside it', () => {
  expect(rendered({ warning: 'Spoilers', text: '${{ item.title }}' }, { fit: 'error' }, long)).toEqual({
    failure: 'social.createPost: the text has 149 characters, and the limit is 50 beside the content warning',
  });
});

describe('an edit of a post with a warning', () => {
  const edit = { do: 'social.editPost', creates: false };
  const options = {
    ...long,
    textLimit: { ...textLimit, keepsWarning: true as const },
    edited: { result: { id: '1', warning: 'Spoilers' } },
  };
  const params = { post: '1', text: '${{ item.title }}' };

  test('leaves room for the warning that it keeps', () => {
    expect(textsOf(rendered(params, edit, options))).toEqual([expect.stringMatching(/^.{40,50}$/u)]);
    expect(rendered(params, { ...edit, fit: 'error' }, options)).toEqual({
      failure: 'social.editPost: the text has 149 characters, and the limit is 50 beside the content warning',
    });
  });

  test('leaves room for its own warning instead', () => {
    expect(textsOf(rendered({ ...params, warning: 'Gore' }, edit, options))).toEqual([expect.stringMatching(/^.{50,54}$/u)]);
  });

  test('has the whole room on a platform where the text has the warning', () => {
    expect(textsOf(rendered(params, edit, { ...options, textLimit }))).toEqual([expect.stringMatching(/^.{51,60}$/u)]);
  });

  test('can have the warning as its text', () => {
    const scope = scopeOf({ ...ada, title: 'Spoilers' });

    expect(rendered(params, edit, { ...options, scope })).toEqual({ params: { post: '1', text: 'Spoilers' } });
  });

  test('fails if the warning takes the whole post', () => {
    const edited = { result: { id: '1', warning: 'w'.repeat(70) } };

    expect(rendered(params, edit, { ...options, edited })).toEqual({ failure: expect.stringContaining('0 beside the content warning') });
  });
});

test('each part of a thread has the warning and its room', () => {
  const answer = rendered({ warning: 'Spoilers', sensitive: true, text: '${{ item.title }}' }, { fit: 'thread' }, long);

  const parts = 'thread' in answer ? answer.thread : [];
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) expect(part).toMatchObject({ warning: 'Spoilers', sensitive: true, text: expect.stringMatching(/^.{1,50}$/u) });
});

test('a text that begins with the warning does not repeat it', () => {
  const scope = scopeOf({ ...ada, title: 'Spoilers', url: 'Spoilers\n\nThe end' });

  expect(rendered({ text: '${{ item.url }}', warning: '${{ item.title }}' }, {}, { ...long, scope })).toEqual({
    params: { text: 'The end', warning: 'Spoilers' },
  });
});

test('an empty warning is none', () => {
  const scope = scopeOf({ ...ada, title: '' });

  expect(rendered({ warning: '${{ item.title }}', text: 'Hi' }, {}, { scope })).toEqual({ params: { text: 'Hi' } });
});

test('the defaults of the account apply to new posts without a warning', () => {
  const options = { postDefaults: { warning: 'Horror', sensitive: true } };

  expect(rendered({ text: 'Hi' }, {}, options)).toEqual({ params: { text: 'Hi', warning: 'Horror', sensitive: true } });
  expect(rendered({ text: 'Hi', warning: 'Gore', sensitive: false }, {}, options)).toEqual({
    params: { text: 'Hi', warning: 'Gore', sensitive: false },
  });
  expect(rendered({ text: 'Hi', warning: '${{ item.title }}' }, {}, { ...options, scope: scopeOf({ ...ada, title: '' }) })).toEqual({
    params: { text: 'Hi', warning: 'Horror', sensitive: true },
  });
  expect(rendered({ text: 'Hi', warning: '' }, {}, options)).toEqual({ params: { text: 'Hi', sensitive: true } });
  expect(rendered({ text: 'Hi', post: '1' }, { do: 'social.editPost', creates: false }, options)).toEqual({
    params: { text: 'Hi', post: '1' },
  });
});

test('an account that requires descriptions posts no file without one', () => {
  const options = { postDefaults: { requireDescription: true } };
  const described = { url: 'https://a.test/1.png', altText: 'A door' };

  expect(rendered({ text: 'Hi', files: [described, { id: 'u1' }] }, {}, options)).toHaveProperty('params');
  expect(rendered({ text: 'Hi', files: [described, { url: 'https://a.test/2.png' }] }, {}, options)).toEqual({
    failure: 'social.createPost: files[1] has no altText, and the account requires a description of each file',
  });
});
