import { expect, test } from 'vitest';
import { textOf } from '../../support/page-text.ts';
import { Browser } from '../auth/browser.ts';
import { openDiscordSite } from '../open-discord-site.ts';
import { openSite } from '../open-site.ts';

const ATTACK = '</script><img src=x onerror=alert(1)>';

test('shows the channel, its messages and what the member may do', async () => {
  const site = await openDiscordSite();
  await site.discord.interact({ user: 'ada', channel: 'general', command: 'show panel' });
  const { routes } = await openSite(site);

  const page = await (await routes.request('/sandbox/discord')).text();

  const text = textOf(page);
  for (const part of [
    'Ada used /show panel',
    'Fanfare APP',
    'A panel',
    'Edit',
    'Never',
    'Link',
    'Act as',
    'Ada (owner of the server)',
    'Linus (member)',
  ])
    expect(text).toContain(part);
  expect(page).toMatch(/<title>[^<]+: #general · Fanfare<\/title>/u);
});

test('shows the mentions and the markup of an answered message', async () => {
  const site = await openDiscordSite();
  const question = await site.discord.order<{ id: string }>('/discord/messages', {
    user: 'ada',
    channel: 'general',
    content: '@Fanfare **who** is live?',
  });
  await site.discord.order('/discord/messages', { user: 'linus', channel: 'general', content: 'I am', replyTo: question.id });
  const { routes } = await openSite(site);

  const text = textOf(await (await routes.request('/sandbox/discord')).text());

  expect(text).toContain('↱ Ada @Fanfare who is live?');
});

test('is in German for German readers', async () => {
  const site = await openDiscordSite();
  const { routes } = await openSite(site);

  const page = await (await routes.request('/sandbox/discord', { headers: { 'accept-language': 'de' } })).text();

  expect(textOf(page)).toContain('Handeln als');
  // The names of commands are those that Discord shows in German.
  expect(page).toContain('"command":"grüßen"');
});

test('a wrong address shows the default and its problem', async () => {
  const site = await openDiscordSite();
  const { routes } = await openSite(site);

  const text = textOf(await (await routes.request('/sandbox/discord?as=linus&channel=moderators')).text());

  expect(text).toContain('linus may not do this in #moderators');
  expect(text).toContain('# general');
});

test('other members see no ephemeral answers, and no hidden channels', async () => {
  const site = await openDiscordSite();
  await site.discord.interact({ user: 'ada', channel: 'general', command: 'greet', options: { name: 'x' } });
  const { routes } = await openSite(site);
  const pageAs = async (user: string) => textOf(await (await routes.request(`/sandbox/discord?as=${user}`)).text());

  expect(await pageAs('ada')).toContain('greet x Only visible to you');
  expect(await pageAs('ada')).toContain('moderators');
  expect(await pageAs('linus')).not.toMatch(/greet x|moderators/u);
});

test('texts of platforms stay texts', async () => {
  const site = await openDiscordSite(ATTACK);
  await site.discord.interact({ user: 'ada', channel: 'general', command: 'show panel' });
  await site.discord.order('/discord/messages', { user: 'linus', channel: 'general', content: ATTACK });
  const { routes } = await openSite(site);

  const page = await (await routes.request(`/sandbox/discord?channel=${encodeURIComponent(ATTACK)}`)).text();

  expect(page.match(/<script/gu)).toHaveLength(2);
  expect(page).not.toContain('<img src=x');
  expect(textOf(page)).toContain('onerror=alert(1)');
});

test('readers without the role admin see why they cannot use it', async () => {
  const site = await openDiscordSite();
  const { routes, access } = await openSite({ ...site, host: '0.0.0.0', allowedHosts: ['fanfare.example'] });
  await access.addPerson({ name: 'eve', role: 'editor', password: 'correct horse battery' }, { name: 'root', via: 'cli', role: 'admin' });
  const browser = new Browser(routes, { address: '192.0.2.1' });
  await browser.signIn('eve', 'correct horse battery');

  const page = await (await browser.request('/sandbox/discord')).text();

  expect(textOf(page)).toContain('A person with the role admin can use the simulated Discord');
  expect(page).not.toContain('id="composer"');
  expect(await (await browser.request('/sandbox')).text()).not.toContain('/sandbox/discord');
});

test('with real accounts, the view does not exist', async () => {
  const { routes } = await openSite();
  expect((await routes.request('/sandbox/discord')).status).toBe(404);
});
