import { expect, test } from 'vitest';
import { fitPayload } from '#src/rules/webhook/fit-payload.ts';
import type { WebhookFields, WebhookType } from '#src/rules/step.ts';

const field = (type: WebhookType, optional = false): WebhookFields => ({ value: { type, optional } });

test.for([
  ['text', 'ada', 'ada'],
  ['text', 42, '42'],
  ['text', 1.5, undefined],
  ['text', true, undefined],
  ['text', ['ada'], undefined],
  ['number', 3, 3],
  ['number', '3.00', 3],
  ['number', '-0.5', -0.5],
  ['number', '3,00', undefined],
  ['number', '', undefined],
  ['number', ' 3', undefined],
  ['number', '1e3', undefined],
  ['number', 'Infinity', undefined],
  ['number', '0x10', undefined],
  ['integer', '12', 12],
  ['integer', 12.5, undefined],
  ['integer', 2 ** 60, undefined],
  ['boolean', true, true],
  ['boolean', 'false', false],
  ['boolean', 1, undefined],
  ['boolean', 'yes', undefined],
  ['time', '2022-08-21T13:04:30Z', '2022-08-21T13:04:30.000Z'],
  ['time', '2022-08-21T15:04:30+02:00', '2022-08-21T13:04:30.000Z'],
  ['time', '2022-13-41T99:00:00Z', undefined],
  ['time', '2022-08-21T15:04+0200', '2022-08-21T13:04:00.000Z'],
  ['time', '2022-08-21T13:04:30.123456Z', '2022-08-21T13:04:30.123Z'],
  ['time', '2022-08-21T13:04:30', undefined],
  ['time', '2022-08-21T13:04', undefined],
  ['time', '2022-08-21', undefined],
  ['time', 'tomorrow', undefined],
  ['time', 1_661_087_070, undefined],
] as const)('as %s, %j is %j', ([type, value, fitted]) => {
  const refused = { faults: [{ pointer: '/value', detail: expect.stringMatching(/^the value is not /u) }] };

  expect(fitPayload(field(type), { value })).toEqual(fitted === undefined ? refused : { item: { value: fitted } });
});

test('a field that may be missing can be null, and other fields are left out', () => {
  expect(fitPayload(field('text', true), { value: null, email: 'ada@example.org' })).toEqual({ item: {} });
  expect(fitPayload(field('text', true), {})).toEqual({ item: {} });
  expect(fitPayload(field('text'), { value: null })).toEqual({ faults: [{ pointer: '/value', detail: 'the field is missing' }] });
});

test('names the place of each fault in maps and lists, and no value', () => {
  const fields: WebhookFields = {
    release: { type: { fields: { name: { type: 'text', optional: false }, id: { type: 'integer', optional: false } } }, optional: false },
    tags: { type: { list: 'text' }, optional: false },
  };

  expect(fitPayload(fields, { release: { id: 'secret-1' }, tags: ['a', false] })).toEqual({
    faults: [
      { pointer: '/release/name', detail: 'the field is missing' },
      { pointer: '/release/id', detail: 'the value is not a whole number' },
      { pointer: '/tags/1', detail: 'the value is not a text' },
    ],
  });
  expect(fitPayload(fields, { release: [], tags: {} })).toEqual({
    faults: [
      { pointer: '/release', detail: 'the value is not a map' },
      { pointer: '/tags', detail: 'the value is not a list' },
    ],
  });
});

test('reads no inherited field', () => {
  const text = { type: 'text', optional: true } as const;
  expect(fitPayload({ toString: text, constructor: text }, {})).toEqual({ item: {} });
});

test('refuses a list of more than 1,000 elements, and names at most 20 faults', () => {
  const list: WebhookFields = { all: { type: { list: 'text' }, optional: false } };

  expect(fitPayload(list, { all: Array.from({ length: 1_001 }, () => 'a') })).toMatchObject({ faults: [{ pointer: '/all' }] });
  const { faults } = fitPayload(list, { all: Array.from({ length: 1_000 }, () => false) }) as { readonly faults: readonly unknown[] }; // no element is a text
  expect(faults).toHaveLength(20);
});
