import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import { ON_CALL, eventually, getJson, launch, postJson, runRules, untilReady } from '../support/fanfare-process.ts';
import { patientPlatforms } from '../support/patient-platforms.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Endpoint = z.object({ url: z.string().optional(), publicKey: z.string() });
const Guild = z.object({
  connections: z.number(),
  members: z.array(z.object({ username: z.string(), bot: z.boolean() })),
  commands: z.array(z.object({ name: z.string() })),
});
const Used = z.object({ outcome: z.string(), message: z.object({ content: z.string(), editedAt: z.string().optional() }).optional() });
const Messages = z.object({ items: z.array(z.object({ content: z.string() })) });

/** Asks a question and posts the choice to another channel. */
const RULE = `
id: verdict
when: ${ON_CALL.when}
then:
  - id: verdict
    do: discord.ask
    with: { channel: general, content: "Shall I?", choices: [yes, no] }
  - do: discord.send
    with: { channel: live, content: "It is \${{ steps.verdict.choice }}" }
`;

test('without a gateway Fanfare answers commands and the questions of rules over HTTP', async () => {
  await using sandbox = await startSandbox({ platforms: patientPlatforms() });
  using folder = temporaryFolder({ inMemory: true });
  const order = async <T>(path: string, form: z.ZodType<T>, body: object): Promise<T> =>
    form.parse(await postJson(`${sandbox.url}/control/discord/${path}`, body));
  const guild = async (): Promise<z.output<typeof Guild>> => Guild.parse(await getJson(`${sandbox.url}/control/discord`));
  const contentsOf = async (channel: string): Promise<readonly string[]> =>
    Messages.parse(await getJson(`${sandbox.url}/control/messages?channel=${channel}`)).items.map(({ content }) => content);
  const { publicKey } = await order('endpoint', Endpoint, {});
  mkdirSync(`${folder.path}/rules`);
  writeFileSync(`${folder.path}/fanfare.yaml`, `discord: { gateway: false, publicKey: "${publicKey}" }\n`);
  writeFileSync(`${folder.path}/rules/verdict.yaml`, RULE);
  const places = { FANFARE_DATA: `${folder.path}/data`, FANFARE_RULES: `${folder.path}/rules` };
  const environment = { ...places, ...sandbox.environment, ...ON_CALL.environment };

  await using fanfare = await launch({ environment });
  await untilReady(fanfare);
  await runRules(fanfare);
  const saved = await order('endpoint', Endpoint, { url: `${fanfare.url}/discord/interactions` });
  const { members, commands, connections } = await guild();
  const user = members.find(({ bot }) => !bot)?.username ?? '';
  const top = await order('interactions', Used, { user, channel: 'general', command: 'top streams', options: {} });
  await eventually('the question', async () => (await contentsOf('general')).some((content) => content.includes('Shall I?')));
  const { items } = z
    .object({ items: z.array(z.object({ id: z.string(), content: z.string() })) })
    .parse(await getJson(`${sandbox.url}/control/messages?channel=general`));
  const question = items.find(({ content }) => content.includes('Shall I?'))?.id ?? '';
  const interaction = await order('interactions', Used, { user, message: question, click: 'yes' });
  await eventually('what was chosen', async () => (await contentsOf('live')).includes('It is yes'));

  expect(saved.url).toContain('/discord/interactions');
  expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(['ask', 'game', 'live', 'top']));
  expect([top.outcome, interaction.outcome, connections]).toEqual(['message', 'update', 0]);
});
