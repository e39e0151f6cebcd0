import { expect, test } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { withEdited, type RenderOptions } from '#src/rules/render.ts';
import type { Step } from '#src/rules/step.ts';
import { ada, catalogue, scopeOf } from '../../support/rule-language.ts';

const post = { id: '7', url: 'https://social.example/7' };

/** The ids that the rendering of an edit asks for, and the record that it then knows. */
async function edited(parameters: JsonObject, step: Partial<Step> = {}, more: Partial<RenderOptions> = {}) {
  const asked: string[] = [];
  const options: RenderOptions = {
    step: { do: 'social.editPost', creates: false, with: { text: 'hi', ...parameters }, as: ['x'], reads: ['post'], ...step },
    names: { watch: 'streaming.getStreams', steps: { post: 'social.createPost' } },
    scope: scopeOf(),
    section: 'then',
    account: 'x',
    results: { post: [{ account: 'x', result: post }] },
    catalogue,
    ...more,
  };
  const found = await withEdited(options, (id) => Promise.resolve(void asked.push(id)));
  return { asked, edited: found.edited };
}

test.for([
  ['the id of a result', '${{ steps.post.id }}'],
  ['the address of a result', '${{ steps.post.url }}'],
  ['a written id', '7'],
])('an edit finds its record by %s', async ([, name]) => {
  expect(await edited({ post: name })).toEqual({ asked: ['7'], edited: { result: post } });
});

test('an edit finds the item of its rule, which another program may have posted', async () => {
  const scope = scopeOf({ ...ada, id: '8', warning: 'Gore' });

  expect(await edited({ post: '${{ item.id }}' }, {}, { scope })).toMatchObject({ asked: ['8'], edited: { result: { warning: 'Gore' } } });
});

test('an edit finds a record that no step read by its id alone', async () => {
  expect(await edited({ post: '9' })).toEqual({ asked: ['9'], edited: { result: undefined } });
});

test.for([
  ['creates a post', { do: 'social.createPost' }],
  ['stands for a list', { forEach: '[1, 2]' }],
  ['names no record', { with: { text: 'hi', post: '${{ item.nothing }}' } }],
] as const)('a step that %s edits no record', async ([, step]) => {
  expect(await edited({ post: '7' }, step)).toEqual({ asked: [], edited: undefined });
});
