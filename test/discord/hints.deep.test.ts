import { request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openApp } from './app-fixture.ts';

const Decisions = z.object({ items: z.array(z.unknown()) });
const Announced = z.object({ items: z.array(z.object({ details: z.object({ occurredAt: z.iso.datetime(), noticedBy: z.string() }) })) });
const WAIT = { timeout: 240_000, interval: 100 };

/** Without hints, these rules would see a change after up to a week. Polls of each hour could come during the test. */
const RULES = {
  'copies.yaml': `
id: copies
when: { every: 7d, watch: discord.getMessages, with: { channel: general } }
then:
  - { do: social.createPost, with: { text: "copy of \${{ item.content }}" } }
`,
  'joined.yaml': `
id: joined
when: { every: 7d, watch: discord.getVoiceMembers, confirm: 1 }
then:
  - { do: social.createPost, with: { text: "\${{ item.handle }} joined \${{ item.channel.name }}" } }
`,
  'other.yaml': `
id: other
when: { every: 7d, watch: discord.getMessages, with: { channel: live } }
then:
  - { do: social.createPost, with: { text: "other \${{ item.content }}" } }
`,
};

test('messages and members in voice channels are announced at once, whatever the time between polls', async () => {
  await using app = await openApp('', { rules: RULES });
  const { people, url } = app;
  const control: typeof app.control = (path, order) => app.control(path, order);
  const [, , member] = people;
  const posts = async () => (await control<{ items: { text: string }[] }>('/posts')).items.map(({ text }) => text).toSorted();
  const pollsOfOther = async () => {
    const { body } = await request(`${url}/api/decisions?rule=other&limit=100`);
    return Decisions.parse(await body.json()).items.length;
  };
  // The connection begins with a poll, because messages may have been missed.
  await expect.poll(pollsOfOther, WAIT).toBeGreaterThan(0);

  await control('/discord/messages', { user: member, channel: 'general', content: 'first' });
  await expect.poll(posts, WAIT).toEqual(['copy of first']);
  await control('/discord/member-states', { user: member, voice: { channel: 'general' } });
  await expect.poll(posts, WAIT).toEqual(['copy of first', `${member} joined general`].toSorted());
  await control('/discord/messages', { user: member, channel: 'general', content: 'second' });
  await expect.poll(posts, WAIT).toContain('copy of second');
  const metrics = await (await request(`${url}/metrics`)).body.text();
  expect(metrics).toContain('fanfare_notice_delay_seconds_count{platform="discord",noticed="notification"} 2\n');
  const { items } = Announced.parse(await (await request(`${url}/api/decisions?rule=copies&outcome=fired`)).body.json());
  expect(items.map(({ details }) => details.noticedBy)).toEqual(['notification', 'notification']);
  // One at the start, one after the connection.
  expect(await pollsOfOther()).toBeLessThanOrEqual(2);
});
