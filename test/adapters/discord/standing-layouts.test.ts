import { describe, expect, test } from 'vitest';
import type { Layout } from '#src/clients/chat/layout.ts';
import type { RouteRequests } from '#sandbox/requests.ts';
import { controlApi } from '../../support/control-api.ts';
import { openChat } from './open-chat.ts';

describe('a standing message with a layout', () => {
  test.for<readonly [string, Layout]>([
    ['a picture', { blocks: [{ text: 'Ada' }, { pictures: [{ url: 'https://pictures.example/2.png' }] }] }],
    ['a description', { blocks: [{ text: 'Ada' }, { pictures: [{ url: 'https://pictures.example/1.png', altText: 'A board' }] }] }],
    ['a color', { color: 2, blocks: [{ text: 'Ada' }, { pictures: [{ url: 'https://pictures.example/1.png' }] }] }],
    ['a line', { blocks: [{ text: 'Ada' }, { separator: 'line' }, { pictures: [{ url: 'https://pictures.example/1.png' }] }] }],
  ])('is edited if %s differs', async ([, layout]) => {
    await using fixture = await openChat();
    const first = { blocks: [{ text: 'Ada' }, { pictures: [{ url: 'https://pictures.example/1.png' }] }] };

    for (const wanted of [first, first, layout, layout]) await fixture.chat.put('top', 'live', { layout: wanted });

    expect((await fixture.standing('live')).map(({ history }) => history.length)).toEqual([1]);
  });

  test('is sent again if it becomes a text, because Discord does not change it to one', async () => {
    await using fixture = await openChat();

    const first = await fixture.chat.put('top', 'live', { layout: { blocks: [{ text: 'Ada' }] } });
    const second = await fixture.chat.put('top', 'live', { content: 'Grace' });
    const third = await fixture.chat.put('top', 'live', { layout: { blocks: [{ text: 'Ada' }] } });

    expect((await fixture.standing('live')).map(({ components }) => components)).toMatchObject([[{ content: 'Ada' }]]);
    expect(second.id).not.toBe(first.id);
    expect(third.id).toBe(second.id);
  });

  test('is read once for each edit', async () => {
    await using fixture = await openChat();
    const put = (text: string) => fixture.chat.put('top', 'live', { layout: { blocks: [{ text }] }, last: true });
    await put('Ada');

    await put('Grace');
    await put('Linus');

    const { items } = await controlApi(fixture.discord.sandbox.url)<{ items: readonly RouteRequests[] }>('/requests');
    const counts = items.map(({ method, route, count }) => [`${method} ${route.split('/channels/').at(-1)}`, count]);
    expect(Object.fromEntries(counts)).toMatchObject({ 'GET :channel/messages/:message': 2, 'PATCH :channel/messages/:message': 2 });
  });
});
