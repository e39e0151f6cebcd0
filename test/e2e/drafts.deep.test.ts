import { mkdirSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import { eventually, freePort, getJson, launch, postJson } from '../support/fanfare-process.ts';
import { patientPlatforms } from '../support/patient-platforms.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Button = z.object({ label: z.string().optional(), disabled: z.boolean().optional() });
const Messages = z.object({
  items: z.array(z.object({ id: z.string(), components: z.array(z.object({ components: z.array(Button).default([]) })) })),
});
const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });
const People = z.object({ members: z.array(z.object({ username: z.string(), bot: z.boolean() })) });
const Interaction = z.object({ outcome: z.string() });
const Rules = z.object({ items: z.array(z.object({ id: z.string() })) });

test('drafts of the assistant are sent or activated once after approval, even after a kill and a second click', async () => {
  await using sandbox = await startSandbox({ platforms: patientPlatforms() });
  using folder = temporaryFolder({ inMemory: true });
  mkdirSync(`${folder.path}/rules`);
  const environment = { FANFARE_DATA: `${folder.path}/data`, FANFARE_RULES: `${folder.path}/rules`, ...sandbox.environment };
  const port = await freePort();
  const control = (path: string, order: object) => postJson(`${sandbox.url}/control${path}`, order);
  const { members } = People.parse(await getJson(`${sandbox.url}/control/discord`));
  const people = members.filter(({ bot }) => !bot).map(({ username }) => username);
  const [owner = '', otherMember = ''] = [people[0], people.at(-1)];
  const draftCards = async (): Promise<readonly string[]> =>
    Messages.parse(await getJson(`${sandbox.url}/control/messages?channel=general`))
      .items.filter(({ components }) => components.some((row) => row.components.some(({ label }) => label === 'Approve')))
      .map(({ id }) => id);
  const posts = async (): Promise<readonly string[]> =>
    Posts.parse(await getJson(`${sandbox.url}/control/posts`)).items.map(({ text }) => text);
  const ask = (text: string): Promise<unknown> =>
    control('/discord/interactions', { user: otherMember, channel: 'general', command: 'ask', options: { text }, waitMs: 60_000 });
  const click = async (message: string, user: string): Promise<string> =>
    Interaction.parse(await control('/discord/interactions', { user, message, click: 'Approve', waitMs: 60_000 })).outcome;
  const isOnline = async (url: string): Promise<boolean> => JSON.stringify(await getJson(`${url}/readyz`)).includes('true');

  {
    await using fanfare = await launch({ environment, port });
    await eventually('the bot', () => isOnline(fanfare.url));
    await ask('Draft a post about tea');
    await eventually('a draft of a post', async () => (await draftCards()).length === 1);
    await ask('Write a rule that tells when ada goes live');
    await eventually('a draft of a rule', async () => (await draftCards()).length === 2);
    await fanfare.kill();
  }
  await using fanfare = await launch({ environment, port });
  await eventually('the bot', () => isOnline(fanfare.url));
  const [post = '', rule = ''] = await draftCards();

  for (const draft of [post, rule]) await click(draft, otherMember);
  const before = [await posts(), readdirSync(environment.FANFARE_RULES)];
  await Promise.all([click(post, owner), click(post, owner), click(rule, owner), click(rule, owner)]);

  await eventually('the post', async () => (await posts()).length > 0);
  await eventually('the rule', async () =>
    Rules.parse(await getJson(`${fanfare.url}/api/rules`)).items.some(({ id }) => id === 'live-ada'),
  );
  expect(before).toEqual([[], []]);
  expect(await posts()).toEqual(['Tea']);
  expect(readdirSync(environment.FANFARE_RULES).toSorted()).toEqual(['live-ada.test.yaml', 'live-ada.yaml']);
  expect(fanfare.output()).not.toMatch(/ error /);
});
