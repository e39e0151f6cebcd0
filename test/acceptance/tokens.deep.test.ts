import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { textOf } from '../support/page-text.ts';
import { install, type Installation } from './installation.ts';

describe('14. token revoked → rule paused with owner notice, others continue', () => {
  const RULES = [
    `
id: streams
when: { every: 15s, watch: streaming.getStreams, with: { users: [ada, grace] } }
then: [{ id: card, do: discord.send, with: { channel: live, content: "\${{ item.owner.handle }} is on" } }]
finally: [{ do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "\${{ item.owner.handle }} was on" } }]
`,
    `
id: streams-on-kick
when: { every: 15s, watch: streaming.getStreams, account: kick, with: { users: [margaret] } }
then: [{ do: discord.send, with: { channel: general, content: "\${{ item.owner.handle }} is on" } }]
`,
    `
id: times
when: { every: 3m }
then: [{ do: social.createPost, with: { text: "at \${{ now }}" } }]
`,
  ];
  const texts = async (fanfare: Installation, channel: string): Promise<readonly string[]> =>
    (await fanfare.messages(channel)).map(({ content }) => content);

  /** What the overview says about an account that needs a person. */
  async function account(fanfare: Installation, name: string): Promise<string> {
    const { body } = await request(`${fanfare.url}/overview`);
    const needs = [...textOf(await body.text()).matchAll(/refused .*?(?= refused |$)/gu)].map(([text]) => text);
    return needs.find((text) => text.includes(name)) ?? '';
  }

  async function begun(): Promise<Installation> {
    const fanfare = await install({ rules: RULES, at: '2026-11-20T18:00:05Z' });
    for (const user of ['ada', 'grace', 'margaret']) fanfare.order({ do: 'end', user });
    await fanfare.pass(60);
    fanfare.order({ do: 'goLive', user: 'ada' });
    await fanfare.pass(60);
    return fanfare;
  }

  test('14. token revoked → rule paused with owner notice, others continue: what it reads', async () => {
    await using fanfare = await begun();
    fanfare.sandbox.faults.add({ platform: 'twitch', route: '/oauth2/token', kind: 'status', status: 403 });
    await fanfare.control('/twitch/revoke', {});

    fanfare.order({ do: 'goLive', user: 'grace' });
    fanfare.order({ do: 'goLive', user: 'margaret' });
    const asked = await fanfare.requests('twitch', 'POST', '/token');
    await fanfare.pass(20 * 60);
    const notices = fanfare.lines.filter((line) => / (warn|error) /.test(line));
    const { items: decisions } = await fanfare.store.decisions.list({ rule: 'streams', limit: 1 });
    const [paused, shown, times] = [await texts(fanfare, 'live'), await account(fanfare, 'twitch'), await fanfare.posts()];
    const tries = (await fanfare.requests('twitch', 'POST', '/token')) - asked;
    fanfare.sandbox.faults.clear();
    await fanfare.pass(20 * 60);

    // No live stream counted as ended, and no unknown stream was announced.
    expect(paused).toEqual(['ada is on']);
    expect(await texts(fanfare, 'general')).toEqual(['margaret is on']);
    expect(times).toHaveLength(7);
    expect(notices).toEqual([
      expect.stringMatching(/rejects the credentials of an account.*account=twitch .*client id.*client secret: check both/),
    ]);
    expect(decisions).toMatchObject([
      { outcome: 'failed', message: expect.stringMatching(/paused: .*check both.* \(asked again in \d+s\)/) },
    ]);
    expect(shown).toContain('rejects this client id and client secret: check both');
    expect(tries).toBeLessThan(12);
    expect(fanfare.lines.filter((line) => line.includes('an account can be polled again'))).toHaveLength(1);
    expect(await texts(fanfare, 'live')).toEqual(['ada is on', 'grace is on']);
    expect(await account(fanfare, 'twitch')).not.toMatch(/problem|failed/);
  });

  test('14. token revoked → rule paused with owner notice, others continue: what it writes', async () => {
    await using fanfare = await begun();
    const before = (await fanfare.posts()).length;
    fanfare.sandbox.faults.add({ platform: 'social', kind: 'status', status: 401 });

    fanfare.order({ do: 'goLive', user: 'grace' });
    await fanfare.pass(10 * 60);
    const [during, shown, others] = [(await fanfare.posts()).length, await account(fanfare, 'sandbox'), await texts(fanfare, 'live')];
    fanfare.sandbox.faults.clear();
    await fanfare.pass(20 * 60);

    const posts = (await fanfare.posts()).map(({ text }) => text);
    expect(during).toBe(before);
    expect(others).toEqual(['ada is on', 'grace is on']);
    expect(shown).toMatch(/POST \/createPost was answered with 401: the credentials are not valid, or no longer valid/);
    expect(fanfare.lines).toContainEqual(expect.stringMatching(/ warn .*account=sandbox fault=unauthorized/));
    // Every scheduled time has exactly one post.
    expect(posts).toEqual([...new Set(posts)].toSorted());
    expect(posts).toHaveLength(10);
    expect(await account(fanfare, 'sandbox')).not.toMatch(/problem|failed/);
  });
});
