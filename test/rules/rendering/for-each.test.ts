import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { Element } from '#src/rules/element.ts';
import { elementsOf } from '#src/rules/rendering/inputs.ts';
import { ada, scopeOf } from '../../support/rule-language.ts';
import { rendered } from './fixture.ts';

const grace = { ...ada, id: '42', owner: { ...ada.owner, displayName: 'Grace' }, viewerCount: 10 };
const scope = scopeOf(ada, { items: [ada, grace] });
const PARAMETERS = { text: '${{ index }}: ${{ it.owner.displayName }}' };

function each(forEach: string, more: { readonly items?: readonly JsonObject[] } = {}) {
  return rendered(PARAMETERS, { forEach }, { scope: { ...scope, ...more } });
}

describe('a step with forEach', () => {
  test('returns its list first, with the key of each element', () => {
    expect(each('items')).toEqual({
      each: [
        { key: '41', it: ada, index: 0 },
        { key: '42', it: grace, index: 1 },
      ],
    });
  });

  test('is rendered for each element', () => {
    const answer = each('items');
    const elements: readonly Element[] = 'each' in answer ? answer.each : [];

    expect(elements.map((element) => rendered(PARAMETERS, { forEach: 'items' }, { scope, element }))).toEqual([
      { params: { text: '0: Ada' } },
      { params: { text: '1: Grace' } },
    ]);
  });

  test('evaluates its condition for each element', () => {
    const element = { key: '42', it: grace, index: 1 };

    expect(rendered(PARAMETERS, { forEach: 'items', if: 'it.viewerCount > 100' }, { scope, element })).toEqual({
      skip: {
        kind: 'stepIf',
        condition: {
          kind: 'false',
          clauses: [{ source: 'it.viewerCount > 100', values: [{ expression: 'it.viewerCount', value: '10' }] }],
        },
      },
    });
    expect(rendered(PARAMETERS, { forEach: 'items', if: 'it.viewerCount > 100' }, { scope })).toHaveProperty('each');
  });

  test('is skipped if the list is empty', () => {
    expect(each('items.filter(i, i.viewerCount > 1000000)')).toEqual({
      skip: { kind: 'emptyList', source: 'items.filter(i, i.viewerCount > 1000000)' },
    });
  });

  test('fails if the list is too long', () => {
    expect(each('items', { items: Array.from({ length: 101 }, () => ada) })).toEqual({
      failure: 'forEach: items has 101 elements, and the limit is 100',
    });
  });

  test('fails with the error of its list', () => {
    expect(each('items[7].tags')).toEqual({ failure: expect.stringContaining('index 7 is out of bounds') });
  });
});

describe('the key of an element', () => {
  test.for<readonly [string, readonly Json[], readonly string[]]>([
    ['its id', [{ id: 'a', name: 'n' }], ['a']],
    ['its key or its name', [{ key: 'k', name: 'n' }, { name: 'n' }], ['k', 'n']],
    ['the id of the item in it', [{ kind: 'entered', item: { id: 'a' } }], ['a']],
    ['the element itself if it is text or a number', ['ada', 7], ['ada', '7']],
    ['its index without any other key', [{ title: 't' }, [1], { id: '' }], ['0', '1', '2']],
    ['numbered if several elements have the same key', ['ada', 'ada', { id: 'ada' }], ['ada', 'ada#2', 'ada#3']],
    ['numbered again if an element has the number itself', ['ada', 'ada', 'ada#2', 'ada#2'], ['ada', 'ada#2', 'ada#2#2', 'ada#2#3']],
    ['numbered on if an earlier element has the number itself', ['ada#2', 'ada', 'ada'], ['ada#2', 'ada', 'ada#3']],
  ])('is %s', ([, list, keys]) => {
    expect(elementsOf(list).map(({ key }) => key)).toEqual(keys);
  });

  test('has a maximum length', () => {
    expect(elementsOf(['a'.repeat(5_000)])[0]?.key).toMatch(/^.{1,100}$/);
  });
});
