import { expect, test } from 'vitest';
import { link, linkedText } from '#src/web/page/inline/link.ts';
import { imageUrl, safeUrl } from '#src/web/page/inline/safe-url.ts';

test.for([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'vbscript:x',
  'data:text/html,x',
  'file:///etc/passwd',
  '/relative',
  '//host/path',
  'no address',
  '',
])('%j does not become a link', async (address) => {
  expect(safeUrl(address)).toBeUndefined();
  expect(String(await link(address, 'text'))).toBe('text');
});

test.for(['javascript:alert(1)', 'file:///x.png', 'blob:https://a.test/1', 'x.png'])('%j does not become a picture', (address) => {
  expect(imageUrl(address)).toBeUndefined();
});

test('a link opens in a new tab without opener and referrer', async () => {
  expect(String(await link('https://a.test/?a=1&b="', 'A & B'))).toBe(
    '<a href="https://a.test/?a=1&amp;b=%22" target="_blank" rel="noopener noreferrer">A &amp; B</a>',
  );
});

test.for([
  ['see https://a.test/x, then go', 'https://a.test/x'],
  ['(https://a.test/x)', 'https://a.test/x'],
  ['https://a.test/x?y=1&z=2!', 'https://a.test/x?y=1&amp;z=2'],
  ['"https://a.test/"', 'https://a.test/'],
] as const)('in %s the address ends before the punctuation', async ([text, address]) => {
  expect(String(await linkedText(text))).toContain(`<a href="${address}" `);
});

test('the text around addresses is escaped', async () => {
  expect(String(await linkedText('<b>1</b> https://www.a.test/ 2'))).toBe(
    '&lt;b&gt;1&lt;/b&gt; <a href="https://www.a.test/" target="_blank" rel="noopener noreferrer">a.test</a> 2',
  );
});
