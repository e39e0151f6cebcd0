import fc from 'fast-check';

const PARTS = [
  '@everyone',
  '@here',
  '<@&1202584131993600005>',
  '<@794354201395200001>',
  '<@!794354201395200001>',
  '\\@everyone',
  '@\u200beveryone',
  '\u200d',
  '[a](https://evil.example)',
  '**',
  '`',
  '||',
  '# ',
  '\n',
  '<',
  '@',
  '{name}',
  '{title}',
  '{url}',
  '{game}',
  '{nobody}',
  '{',
];

/** A text that tries to ping. */
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...PARTS), fc.string({ maxLength: 5 })), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''))
  .filter((text) => text !== '');
