import { afterAll, beforeAll, expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { getJson } from '../../support/fanfare-process.ts';
import { BERLIN, FIRST, idsBelow, openServers, contentsIn, type ServersFixture } from './fixture.ts';

const { noDelivery } = en.controls.errors;

const RULE = `
id: greet
when: { every: 5s }
cooldown: 1h
then: [{ do: discord.send, as: [discord, berlin], with: { channel: live, content: Hello } }]
`;

let fixture: ServersFixture;
/** The id of a waiting post in the first server. */
let delivery = '';

beforeAll(async () => {
  fixture = await openServers({ rules: { 'greet.yaml': RULE } });
  const { firstOwner } = fixture.who;
  const shown = await fixture.command(FIRST, firstOwner, 'post schedule', { time: 'in 3h', text: 'Only here' });
  const send = idsBelow(shown.message ?? { components: [] }).find((id) => id.startsWith('post:send:'));
  await fixture.interact({ user: firstOwner, message: shown.message?.id, customId: send });
  delivery = await fixture.until(async () => {
    const { items } = (await getJson(`${fixture.url}/api/deliveries`)) as { items: { id: string; rule: string }[] }; // what our own API tells
    return items.find(({ rule }) => rule === '/post')?.id;
  });
});
afterAll(() => fixture[Symbol.asyncDispose]());

test('waiting posts are listed in their server only, and deliveries of rules in their servers', async () => {
  const { firstOwner, berlinOwner } = fixture.who;

  const [here, there] = await fixture.until(async () => {
    const lists = [await fixture.command(FIRST, firstOwner, 'deliveries'), await fixture.command(BERLIN, berlinOwner, 'deliveries')].map(
      contentsIn,
    );
    return lists.every((list) => list.includes('greet')) && lists;
  });

  expect(here).toContain(firstOwner);
  expect(there).not.toContain(firstOwner);
});

test('a delivery of one server cannot be read or resolved from the other server by its id', async () => {
  const { firstOwner, berlinOwner } = fixture.who;
  const resolve = (guild: string, user: string) => fixture.command(guild, user, 'resolve', { delivery, outcome: 'sent' });
  const show = async (guild: string, user: string) => {
    const { message } = await fixture.command(guild, user, 'top games');
    return fixture.interact({ user, message: message?.id, customId: `resolve:show:${delivery}`, forged: true });
  };

  const [shown, asked] = [await show(BERLIN, berlinOwner), await resolve(BERLIN, berlinOwner)];

  expect([contentsIn(shown), contentsIn(asked)]).toEqual([expect.stringContaining(noDelivery), expect.stringContaining(noDelivery)]);
  expect(contentsIn(await show(FIRST, firstOwner))).toContain(`post by ${firstOwner}`);
  expect(contentsIn(await resolve(FIRST, firstOwner))).toContain('This delivery needs no resolution');
});
