import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#src/operation/json.ts';
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

describe('a step that is done for each of a list', () => {
  test('gives the list first, each element with its key', () => {
    expect(each('items')).toEqual({
      each: [
        { key: '41', it: ada, index: 0 },
        { key: '42', it: grace, index: 1 },
      ],
    });
  });

  test('is said for each element by itself', () => {
    const answer = each('items');
    const elements: readonly Element[] = 'each' in answer ? answer.each : [];

    expect(elements.map((element) => rendered(PARAMETERS, { forEach: 'items' }, { scope, element }))).toEqual([
      { params: { text: '0: Ada' } },
      { params: { text: '1: Grace' } },
    ]);
  });

  test('asks its condition of each element', () => {
    const element = { key: '42', it: grace, index: 1 };

    expect(rendered(PARAMETERS, { forEach: 'items', if: 'it.viewerCount > 100' }, { scope, element })).toEqual({
      skip: {
        kind: 'stepIf',
        because: { kind: 'false', clauses: [{ source: 'it.viewerCount > 100', values: [{ of: 'it.viewerCount', is: '10' }] }] },
      },
    });
    expect(rendered(PARAMETERS, { forEach: 'items', if: 'it.viewerCount > 100' }, { scope })).toHaveProperty('each');
  });

  test('has nothing to do where the list is empty', () => {
    expect(each('items.filter(i, i.viewerCount > 1000000)')).toEqual({
      skip: { kind: 'emptyList', source: 'items.filter(i, i.viewerCount > 1000000)' },
    });
  });

  test('fails where the list is longer than any that is meant', () => {
    expect(each('items', { items: Array.from({ length: 101 }, () => ada) })).toEqual({
      failure: 'forEach: items has 101 elements, and a step is done for at most 100',
    });
  });

  test('says what is wrong with its list', () => {
    expect(each('items[7].tags')).toEqual({ failure: expect.stringContaining('index out of bounds') });
  });
});

describe('the key of an element', () => {
  test.for<readonly [string, readonly Json[], readonly string[]]>([
    ['its id', [{ id: 'a', name: 'n' }], ['a']],
    ['its key or its name', [{ key: 'k', name: 'n' }, { name: 'n' }], ['k', 'n']],
    ['the id of the item in it', [{ kind: 'entered', item: { id: 'a' } }], ['a']],
    ['itself, where it is text or a number', ['ada', 7], ['ada', '7']],
    ['its place, where it has no other', [{ title: 't' }, [1], { id: '' }], ['0', '1', '2']],
    ['another one for each that has the same', ['ada', 'ada', { id: 'ada' }], ['ada', 'ada#2', 'ada#3']],
  ])('is %s', ([, list, keys]) => {
    expect(elementsOf(list).map(({ key }) => key)).toEqual(keys);
  });

  test('is short', () => {
    expect(elementsOf(['a'.repeat(5_000)])[0]?.key).toMatch(/^.{1,100}$/);
  });
});
