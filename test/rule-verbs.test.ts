import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adapters } from '#adapters/index.ts';
import { accountsOf } from '#src/app/accounts.ts';
import { catalogue } from '#src/catalogue.ts';
import { readConfig } from '#src/config/config.ts';
import { createClients, type Clients } from '#src/app/clients.ts';
import { readSources } from '#src/reference/sources.ts';
import { performStep } from '#src/app/steps.ts';
import { createConversationPlatform } from '#src/assistant/respond.ts';
import { recorded } from '#src/history/recorded.ts';
import type { Json } from '#src/operation/json.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { renderStep } from '#src/rules/render.ts';
import type { Rule } from '#src/rules/rule.ts';
import { startSandbox } from '#sandbox/server.ts';
import { ManualClock } from './support/manual-clock.ts';
import { memoryTranscripts } from '#src/assistant/memory-transcripts.ts';
import { whileSleeping } from './support/while-sleeping.ts';

const root = process.cwd();
const sources = {
  discord: readSources(root, 'src/chat'),
  assistant: readSources(root, 'src/assistant'),
  history: readSources(root, 'src/history'),
};
/** Example steps of the operations that only rules have. */
const examples = [...catalogue].flatMap(([verb, declared]) => {
  const source = Object.entries(sources).find(([client]) => verb.startsWith(`${client}.`))?.[1];
  return source ? [[verb, source.sourceOf(declared).doc.example ?? ''] as const] : [];
});

function ruleWith(steps: string): ReturnType<typeof checkRule> {
  const source = `id: example\nwhen: { every: 1h }\nthen:\n${steps.replaceAll(/^/gm, '  ')}\n`;
  return checkRule({ file: 'example.yaml', source, catalogue, accounts: accountsOf(readConfig({})) });
}

test('every operation that only rules have has an example step', () => {
  expect(examples.length).toBeGreaterThan(12);
  expect(examples.filter(([verb, example]) => !example.includes(`do: ${verb}\n`)).map(([verb]) => verb)).toEqual([]);
});

test.for(examples)('the example steps of %s have no diagnostics', ([, example]) => {
  expect(ruleWith(example).diagnostics).toEqual([]);
});

describe('the steps that show it run on the sandbox', () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  let clients: Clients;
  let member: string;
  const clock = new ManualClock();
  beforeAll(async () => {
    sandbox = await startSandbox({ clock });
    const variable = (name: string): string => sandbox.environment[name] ?? '';
    const model = { url: variable('ASSISTANT_URL'), apiKey: variable('ASSISTANT_API_KEY'), model: variable('ASSISTANT_MODEL') };
    clients = createClients(
      {
        streaming: [],
        social: [],
        discord: [
          adapters.discord({
            token: variable('DISCORD_TOKEN'),
            guildId: variable('DISCORD_GUILD_ID'),
            apiUrl: variable('DISCORD_API_URL'),
            clock,
          }),
        ],
        assistant: [
          createConversationPlatform({ platform: adapters.openai({ ...model, clock }), transcripts: memoryTranscripts(), clock }),
        ],
        history: [recorded({ episodes: { list: () => Promise.resolve([]) }, clock })],
      },
      clock,
    );
    const { members } = (await (await globalThis.fetch(`${sandbox.url}/control/discord`)).json()) as { members: { username: string }[] }; // the response of the control API
    member = members.at(-1)?.username ?? '';
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  /** Runs one step after the other. The result of a step that sends nothing is undefined. */
  async function run(verb: string, { then, names }: Rule): Promise<readonly (Json | undefined)[]> {
    const results: Record<string, readonly { readonly account: string; readonly result?: Json | undefined }[]> = {};
    const made: (Json | undefined)[] = [];
    for (const [index, step] of then.entries()) {
      const [account = ''] = step.as;
      const scope = { rule: { id: 'example' }, now: '2026-11-20T20:00:00.000Z' };
      const rendered = renderStep({ step, names, scope, section: 'then', account, results, catalogue });
      if ('failure' in rendered) throw new Error(rendered.failure);
      const attempt = { do: step.do, account, key: `${verb} ${index}`, since: new Date(0), signal: new AbortController().signal };
      const result = 'params' in rendered ? await performStep(clients, { ...attempt, params: rendered.params }) : undefined;
      if (step.id !== undefined) results[step.id] = [{ account, result }];
      made.push(result);
    }
    return made;
  }

  test.for(examples)('%s', async ([verb, example]) => {
    const { rules } = ruleWith(example);
    const [rule] = rules;
    const at = rule?.then.findIndex((step) => step.do === verb) ?? -1;
    // The examples use other names than the sandbox.
    const named = rule && (JSON.parse(JSON.stringify(rule).replaceAll('"ada"', JSON.stringify(member))) as Rule); // the replacement keeps the type

    const made = named && (await whileSleeping(clock, run(verb, named)));

    expect(made?.[at]).toBeDefined();
  });
});

test.for([
  ['{ do: discord.send, with: { channel: live } }', 'there is nothing to send: give content, embed or files'],
  ['{ do: discord.edit, with: { message: 1/2 } }', 'there is nothing to change: give content or embed'],
  ['{ do: discord.put, with: { name: top, channel: live } }', 'there is nothing to say: give content or embed'],
  ['{ do: discord.thread, with: { name: Bets } }', 'give either message or channel'],
  ['{ do: discord.ask, with: { channel: live, content: Which?, choices: [a, b, c, d, e, f] } }', '5'],
] as const)('%s is an error', ([step, message]) => {
  const { diagnostics } = ruleWith(`- ${step}`);

  expect(diagnostics).toMatchObject([
    { severity: 'error', path: expect.stringMatching(/^then\[0\]\.with/), message: expect.stringContaining(message) },
  ]);
});

test.for([
  '{ do: discord.send, with: { channel: live, content: "${{ rule.id }}" } }',
  '{ do: discord.send, with: { channel: live, files: ["https://pictures.example/1.png"] } }',
  '{ do: discord.send, with: { channel: live, files: ["${{ rule.about }}"] } }',
  '{ do: discord.ask, with: { channel: live, content: "${{ rule.id }}", choices: ["${{ rule.id }}", drop] } }',
] as const)('%s has no diagnostics', (step) => {
  expect(ruleWith(`- ${step}`).diagnostics).toEqual([]);
});
