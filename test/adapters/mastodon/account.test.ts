import { expect, test } from 'vitest';
import { AccountRow, toUser } from '#adapters/mastodon/wire/account.ts';

const PROVEN = '2026-01-01T00:00:00Z';
const link = (href: string): string => `<a href="${href}" rel="me nofollow"><span class="invisible">https://</span>ada.example</a>`;

test.for([
  ['escapes', link('https://ada.example/?a=1&amp;b=2&#38;c=%26'), 'https://ada.example/?a=1&b=2&c=%26'],
  ['other quotes', 'Here: <A HREF=\'https://ada.example/"x"\'>x</A>', 'https://ada.example/"x"'],
  ['an apostrophe', link("https://ada.example/it's"), "https://ada.example/it's"],
  ['another link before it', `<a href="/tags/x">x</a> ${link('https://ada.example/')}`, 'https://ada.example/'],
  ['another protocol', link('javascript:alert(1)'), undefined],
  ['an address in the text', 'href="https://ada.example/"', undefined],
] as const)('the proven website of an account, with %s', ([, value, expected]) => {
  const fields = [
    { value: link('https://unproven.example/'), verified_at: null },
    { value, verified_at: PROVEN },
  ];
  const row = AccountRow.parse({ id: '1', username: 'ada', acct: 'ada', fields });

  expect(toUser(row, { fetchedAt: new Date(PROVEN) }).websiteUrl).toBe(expected);
});
