import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { nextPage } from '#adapters/mastodon/client.ts';

test.for([
  [
    'a next page',
    '<https://a.example/api/v1/x?limit=40&max_id=7>; rel="next", <https://a.example/api/v1/x?min_id=9>; rel="prev"',
    'max_id=7',
  ],
  ['a next page as the second link', '<https://a.example/x?min_id=9>; rel="prev", <https://a.example/x?max_id=7>; rel="next"', 'max_id=7'],
  ['a relation without quotes', '<https://a.example/x?offset=40>; rel=next', 'offset=40'],
  ['several relations', '<https://a.example/x?max_id=7>; rel="last next"', 'max_id=7'],
  ['more parameters', '<https://a.example/x?max_id=7>; title="a, b"; rel="next"', 'max_id=7'],
  ['an address without its server', '</api/v1/x?max_id=7>; rel="next"', 'max_id=7'],
  ['a comma in an address', '<https://a.example/x?max_id=7,8>; rel="next"', 'max_id=7%2C8'],
  [
    'an id of letters',
    '<http://inside:3000/x?max_id=01JABCDEFGHJKMNPQRSTVWXYZ0&limit=40>; rel="next"',
    'max_id=01JABCDEFGHJKMNPQRSTVWXYZ0',
  ],
  ['no next page', '<https://a.example/x?min_id=9>; rel="prev"', undefined],
  ['a relation that only contains the word', '<https://a.example/x?max_id=7>; rel="nextish"', undefined],
  ['a next page without a cursor', '<https://a.example/x?limit=40>; rel="next"', undefined],
  ['no links', '', undefined],
  ['an invalid header', 'rel="next"; <>', undefined],
] as const)('%s', ([, header, cursor]) => {
  expect(nextPage(header, { limit: 40 })).toBe(cursor);
});

test('for any header, nothing is thrown, and no parameter of the query is repeated', () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom('<', '>', ';', ',', ' rel="next"', 'https://a.example/?max_id=1&limit=3', '%', '"', 'rel=next'),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const cursor = nextPage(parts.join(''), { limit: 40 });
      expect(new URLSearchParams(cursor).has('limit')).toBe(false);
    }),
  );
});
