import { expect, test } from 'vitest';
import type { Json } from '#src/clients/operation/json.ts';
import { messageLines } from '#src/engine/simulation/preview/message-lines.ts';
import { messagePreview } from '#src/engine/simulation/preview/message-preview.ts';

const PARAMETERS: readonly (readonly [string, Json, string])[] = [
  ['poll', { options: ['Yes', 'No'], durationMinutes: 60 }, 'options: Yes / No · durationMinutes: 60'],
  ['files', ['https://a.test/1.png', { path: '/2.png' }], 'https://a.test/1.png, /2.png'],
  ['files', [{ url: 'https://a.test/3.png', altText: 'A door', optional: true }], 'https://a.test/3.png (A door)'],
  ['files', [], '–'],
  ['tags', ['news', 'live'], 'news, live'],
  ['sensitive', true, 'true'],
];

test.each(PARAMETERS)('%s %j reads as %s', (key, value, text) => {
  expect(messageLines(messagePreview('social.createPost', { text: 'hi', [key]: value }))).toEqual(['hi', `${key}: ${text}`]);
});

test('an empty text has no line', () => {
  expect(messageLines(messagePreview('social.createPost', { text: '', sensitive: true }))).toEqual(['sensitive: true']);
});
