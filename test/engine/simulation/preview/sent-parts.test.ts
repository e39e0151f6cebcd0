import { expect, test } from 'vitest';
import { messagePreview } from '#src/engine/simulation/preview/message-preview.ts';
import { TEXT_LIMITS } from '../../../support/text-limits.ts';

const CHANNEL = { channel: 'live' };

test('the preview has only the buttons whose addresses Discord accepts', () => {
  const buttons = [
    { label: 'Watch', url: 'https://twitch.tv/ada' },
    { label: 'Long', url: `https://a.test/${'a'.repeat(600)}` },
    { label: 'Empty', url: '' },
    { label: 'Ping me', role: 'Live' },
  ];

  expect(messagePreview('discord.send', { ...CHANNEL, buttons }).buttons).toEqual(['Watch', 'Ping me']);
});

test('the preview of a card has the parts that Discord gets', () => {
  const field = { name: 'Game', value: 'x'.repeat(1024) };
  const { embeds } = messagePreview('discord.send', {
    ...CHANNEL,
    embed: {
      title: 'Ada is live',
      description: ' ',
      image: 'not an address',
      fields: [field, { name: 'Team', value: '' }, ...Array.from({ length: 6 }, () => field)],
    },
  });

  expect(embeds).toEqual([{ title: 'Ada is live', fields: Array.from({ length: 5 }, () => field) }]);
});

test('an edit of a card shows the parts that it removes', () => {
  const embed = { title: '', footer: 'over' };

  expect(messagePreview('discord.edit', { message: 'm', embed }).embeds).toEqual([embed]);
});

test('the length of a post includes its content warning', () => {
  const post = { text: 'x'.repeat(100), warning: 'Spoilers' };

  const { lengths } = messagePreview('social.createPost', post, { textLimit: TEXT_LIMITS.mastodon });

  expect(lengths).toContainEqual({ path: 'text', length: 100 + 'Spoilers\n\n'.length, most: 500 });
});

test('the preview of a layout has the first picture that Discord gets', () => {
  const pictures = ['https://localhost/a.png', 'https://example.com/b.png'].map((url) => ({ url }));

  const { embeds } = messagePreview('discord.send', { ...CHANNEL, layout: { blocks: [{ text: 'Ada' }, { pictures }] } });

  expect(embeds).toEqual([{ description: 'Ada', image: 'https://example.com/b.png' }]);
});
