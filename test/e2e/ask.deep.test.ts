import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { ON_CALL, eventually, freePort, getJson, launch, postJson, runRules, untilReady } from '../support/fanfare-process.ts';
import { patientPlatforms } from '../support/patient-platforms.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Messages = z.object({
  items: z.array(z.object({ id: z.string(), content: z.string(), components: z.array(z.unknown()), deletedAt: z.string().optional() })),
});
const Deliveries = z.object({ items: z.array(z.object({ step: z.string(), state: z.string(), error: z.string().optional() })) });
const People = z.object({ members: z.array(z.object({ username: z.string(), bot: z.boolean() })) });
const Interaction = z.object({ id: z.string(), outcome: z.string() });

const rule = (answerWithin: string): string => `
id: verdict
when: ${ON_CALL.when}
then:
  - id: draft
    do: assistant.ask
    with: { text: Say hello. }
  - id: verdict
    do: discord.ask
    maxAge: 12h
    answerWithin: ${answerWithin}
    with: { channel: general, content: "Draft of 1: \${{ steps.draft.message.text }}", choices: [send, drop] }
  - do: discord.put
    with: { name: outcome, channel: live, content: "It is \${{ either(steps.verdict.choice, 'nothing') }} \${{ steps.verdict.by.handle }} \${{ steps.verdict.text }}" }
`;

interface Fixture extends Disposable {
  readonly environment: Readonly<Record<string, string>>;
  messages(channel: string): Promise<z.output<typeof Messages>['items']>;
  order(path: string, order: object): Promise<unknown>;
}

function prepare(sandbox: Sandbox, text: string): Fixture {
  const folder = temporaryFolder({ inMemory: true });
  mkdirSync(`${folder.path}/rules`);
  writeFileSync(`${folder.path}/rules/verdict.yaml`, text);
  return {
    environment: {
      FANFARE_DATA: `${folder.path}/data`,
      FANFARE_RULES: `${folder.path}/rules`,
      ...sandbox.environment,
      ...ON_CALL.environment,
    },
    messages: async (channel) => Messages.parse(await getJson(`${sandbox.url}/control/messages?channel=${channel}`)).items,
    order: (path, order) => postJson(`${sandbox.url}/control${path}`, order),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

async function personIn(sandbox: Sandbox): Promise<string> {
  const { members } = People.parse(await getJson(`${sandbox.url}/control/discord`));
  return members.find(({ bot }) => !bot)?.username ?? '';
}

test('the answer to a question from before a kill continues the rule', async () => {
  await using sandbox = await startSandbox({ platforms: patientPlatforms() });
  using fixture = prepare(sandbox, rule('12h'));
  const user = await personIn(sandbox);
  const port = await freePort();
  let asked: string;
  {
    await using fanfare = await launch({ environment: fixture.environment, port });
    await untilReady(fanfare);
    await runRules(fanfare);
    asked = await eventually(
      'a question',
      async () => (await fixture.messages('general')).find(({ components }) => components.length > 0)?.id,
    );
    await eventually('a delivery that waits', async () =>
      Deliveries.parse(await getJson(`${fanfare.url}/api/deliveries`)).items.some(({ state }) => state === 'asked'),
    );
    await fanfare.kill();
  }
  await using fanfare = await launch({ environment: fixture.environment, port });
  await untilReady(fanfare);

  const opened = Interaction.parse(await fixture.order('/discord/interactions', { user, message: asked, click: '✏️ send …' }));
  await fixture.order('/discord/interactions', { user, modal: opened.id, fields: { text: 'Hello @everyone' } });

  const [outcome] = await eventually('the outcome', async () => {
    const there = await fixture.messages('live');
    return there.length > 0 && there;
  });
  expect(opened.outcome).toBe('modal');
  expect(outcome?.content).toMatch(new RegExp(`^It is send ${user.replaceAll('_', String.raw`\\?_`)} Hello .*everyone$`));
  const questions = (await fixture.messages('general')).filter(({ content }) => content.startsWith('Draft of 1'));
  expect(questions).toHaveLength(1);
  expect(questions[0]).toMatchObject({ components: [], content: expect.stringContaining('**send**, answered <@') });
});

test('the rule continues without an answer, and the question shows that', async () => {
  await using sandbox = await startSandbox({ platforms: patientPlatforms() });
  using fixture = prepare(sandbox, rule('10s'));
  await using fanfare = await launch({ environment: fixture.environment });
  await untilReady(fanfare);
  await runRules(fanfare);

  const [outcome] = await eventually('the outcome', async () => {
    const there = await fixture.messages('live');
    return there.length > 0 && there;
  });

  expect(outcome?.content).toBe('It is nothing');
  await eventually('the question without its buttons', async () =>
    (await fixture.messages('general')).some(
      ({ content, components }) => content.includes('No one answered in time') && components.length === 0,
    ),
  );
  expect(fanfare.output()).not.toMatch(/ error /);
});
