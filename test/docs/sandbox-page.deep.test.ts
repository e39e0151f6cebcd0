import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { sendInteraction } from '#sandbox/discord/control/interaction-endpoints.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { runExamples } from '../../docs/generator/sandbox/run-examples.ts';
import { controlApi } from '../support/control-api.ts';
import { eventually, launch, untilReady, type FanfareProcess } from '../support/fanfare-process.ts';
import { patientPlatforms } from '../support/patient-platforms.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Answer = z.object({
  id: z.string(),
  outcome: z.string(),
  ephemeral: z.boolean().optional(),
  message: z.object({ id: z.string() }).optional(),
});
const Server = z.object({ commands: z.array(z.object({ name: z.string() })) });

const folder = temporaryFolder();
let sandbox: Sandbox;
let fanfare: FanfareProcess;
let control: ReturnType<typeof controlApi>;

beforeAll(async () => {
  sandbox = await startSandbox({ platforms: patientPlatforms() });
  const environment = { ...sandbox.environment, FANFARE_RULES: folder.path, FANFARE_DATA: `${folder.path}/data` };
  fanfare = await launch({ environment });
  await untilReady(fanfare);
  control = controlApi(sandbox.url);
  await eventually('the commands', async () => Server.parse(await control('/discord')).commands.some(({ name }) => name === 'top'));
});
afterAll(async () => {
  await fanfare[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

test('Fanfare answers the interactions of the reference in the same way as the bot in its examples', async () => {
  const groups = await runExamples();
  const written = groups.flatMap(({ endpoints }) => endpoints).find(({ path }) => path === sendInteraction.path)?.examples ?? [];
  // The select menu needs several social accounts.
  const sent = sendInteraction.examples.filter(({ body }) => body?.['values'] === undefined);
  const expected = written.filter(({ body }) => body?.['values'] === undefined).map(({ answer }) => Answer.parse(answer));
  const saved = new Map<string, string>();

  const answers: z.output<typeof Answer>[] = [];
  for (const { body, save = {} } of sent) {
    const text = JSON.stringify(body).replaceAll(/\$(\w+)/gu, (_, name: string) => saved.get(name) ?? '');
    const answer = Answer.parse(await control('/discord/interactions', JSON.parse(text)));
    for (const [name, path] of Object.entries(save)) saved.set(name, path === 'id' ? answer.id : (answer.message?.id ?? ''));
    answers.push(answer);
  }

  expect(answers.length).toBeGreaterThan(8);
  expect(answers.map(({ outcome, ephemeral }) => [outcome, ephemeral])).toEqual(
    expected.map(({ outcome, ephemeral }) => [outcome, ephemeral]),
  );
});
