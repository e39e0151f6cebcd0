import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { controlApi } from '../support/control-api.ts';
import { eventually, getJson, launch } from '../support/fanfare-process.ts';
import { patientPlatforms } from '../support/patient-platforms.ts';
import { signIn } from '../support/sandbox-people.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Messages = z.object({ items: z.array(z.object({ id: z.string(), content: z.string() })) });
const Posts = z.object({ items: z.array(z.object({ text: z.string(), replyTo: z.string().optional() })) });
const Rules = z.object({ items: z.array(z.object({ id: z.string(), on: z.boolean() })) });
const Deliveries = z.object({ items: z.array(z.object({ rule: z.string(), do: z.string(), error: z.string().optional() })) });
const Decisions = z.object({ items: z.array(z.unknown()) });
const Interaction = z.object({ outcome: z.string() });

test('all shipped rules run together: the assistant drafts an answer to a mention, and a moderator approves it', async () => {
  using folder = temporaryFolder();
  await using sandbox = await startSandbox({ lively: true, platforms: patientPlatforms() });
  const ids = allOn(folder.path);

  await using fanfare = await launch({
    environment: { ...sandbox.environment, FANFARE_RULES: `${folder.path}/rules`, FANFARE_DATA: `${folder.path}/data` },
  });
  await eventually('the bot', async () => JSON.stringify(await getJson(`${fanfare.url}/readyz`)).includes('true'));
  const { items: running } = Rules.parse(await getJson(`${fanfare.url}/api/rules`));
  // A mention that the first poll shows is not new.
  await eventually(
    'the first poll of the mentions',
    async () => Decisions.parse(await getJson(`${fanfare.url}/api/decisions?rule=mentions`)).items.length > 0,
  );
  const mention = await (await signIn({ sandbox, clock: sandbox.clock }, 'ada')).createPost('@fanfare when is the next game night?');
  const question = await eventually('a question to the moderators', async () => {
    const { items } = Messages.parse(await getJson(`${sandbox.url}/control/messages?channel=moderators`));
    return items.find(({ content }) => content.includes('when is the next game night'));
  });
  const outcome = await click(sandbox, question.id, 'send');
  const answer = await eventually('the answer', async () => {
    const { items } = Posts.parse(await getJson(`${sandbox.url}/control/posts`));
    return items.find(({ replyTo }) => replyTo === mention.id);
  });

  expect(new Set(running.filter(({ on }) => on).map(({ id }) => id.split('/')[0]))).toEqual(new Set(ids));
  expect(question.content).toMatch(/^\*\*Ada\*\* mentioned us: .+\n<http.+>\nDraft: ./);
  expect(outcome).not.toBe('failed');
  expect(question.content).toContain(answer.text.slice(0, 20));
  const { items: failed } = Deliveries.parse(await getJson(`${fanfare.url}/api/deliveries?state=failed`));
  expect(failed).toEqual([]);
  expect(fanfare.output()).not.toMatch(/ error /);
});

/** Copies the shipped rules to a folder and enables them. `mentions` polls at the shortest interval. Returns the ids. */
function allOn(folder: string): readonly string[] {
  cpSync('rules', `${folder}/rules`, { recursive: true });
  const files = readdirSync(`${folder}/rules`).filter((name) => !name.includes('.test.'));
  for (const name of files) {
    const file = `${folder}/rules/${name}`;
    const source = readFileSync(file, 'utf8').replace(/^enabled: .+$/m, 'enabled: true');
    writeFileSync(file, name === 'mentions.yaml' ? source.replace('every: 2m', 'every: 5s') : source);
  }
  return files.map((name) => name.replace('.yaml', ''));
}

async function click(sandbox: Sandbox, message: string, button: string): Promise<string> {
  return Interaction.parse(await controlApi(sandbox.url)('/discord/interactions', { user: 'ada', message, click: button })).outcome;
}
