import { expect, test } from 'vitest';
import { hasContent } from '#src/clients/chat/parameters.ts';

test.each([
  ['only a color', { color: 0x91_46_ff }],
  ['only a color and a link', { color: 0x91_46_ff, url: 'https://twitch.tv/ada' }],
  ['blank texts', { title: ' ', footer: '', description: undefined }],
  ['no fields and an author without a name', { fields: [], author: { name: '', url: 'https://twitch.tv/ada' } }],
])('a card with %s is no message: Discord refuses it', (_, embed) => {
  expect(hasContent({ embed })).toBe(false);
  expect(hasContent({ embeds: [embed] })).toBe(false);
  expect(hasContent({ embed, content: 'Ada is live' })).toBe(true);
});

test.each([
  { title: 'Ada' },
  { image: 'https://a.test/a.png' },
  { author: { name: 'Ada' } },
  { fields: [{ name: 'Game', value: 'Chess' }] },
  { timestamp: new Date(0) },
])('a card with one part that shows something is a message: %j', (embed) => {
  expect(hasContent({ embed })).toBe(true);
});
