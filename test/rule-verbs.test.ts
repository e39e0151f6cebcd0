import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discord as discordAdapter } from '#adapters/discord/index.ts';
import { openai as openaiAdapter } from '#adapters/openai/index.ts';
import { accountsOf } from '#src/app/accounts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createClients, type Clients } from '#src/clients/clients.ts';
import { readSources } from '../docs/generator/sources.ts';
import { performStep } from '#src/engine/delivery/steps.ts';
import { createConversationPlatform } from '#src/clients/assistant/respond.ts';
import { feed as feedAdapter } from '#adapters/feed/index.ts';
import { recorded } from '#src/clients/history/recorded.ts';
import type { Json } from '#src/clients/operation/json.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { renderStep } from '#src/rules/render.ts';
import type { Rule } from '#src/rules/rule.ts';
import { startSandbox } from '#sandbox/server.ts';
import { emptyHistory } from './support/history.ts';
import { ManualClock } from './support/manual-clock.ts';
import { memoryTranscripts } from '#src/clients/assistant/memory-transcripts.ts';
import { whileSleeping } from './support/while-sleeping.ts';

const root = process.cwd();
const sources = {
  discord: readSources(root, 'src/clients/chat'),
  assistant: readSources(root, 'src/clients/assistant'),
  feed: readSources(root, 'src/clients/feed'),
  history: readSources(root, 'src/clients/history'),
};
/** Example steps of the operations that only rules have. */
const examples = [...catalogue].flatMap(([verb, declared]) => {
  const source = Object.entries(sources).find(([client]) => verb.startsWith(`${client}.`))?.[1];
  return source ? [[verb, source.sourceOf(declared).doc.example ?? ''] as const] : [];
});

function ruleWith(steps: string): ReturnType<typeof checkRule> {
  const when = steps.includes('do: discord.answer\n') ? '{ command: example }' : '{ every: 1h }';
  const source = `id: example\nabout: An example\nwhen: ${when}\nthen:\n${steps.replaceAll(/^/gm, '  ')}\n`;
  return checkRule({ file: 'example.yaml', source, catalogue, accounts: accountsOf(configOfEnvironment({})) });
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
          discordAdapter({
            token: variable('DISCORD_TOKEN'),
            guildId: variable('DISCORD_GUILD_ID'),
            apiUrl: variable('DISCORD_API_URL'),
            // No member is in a voice channel.
            memberStates: { find: () => Promise.resolve({}) },
            clock,
          }),
        ],
        assistant: [createConversationPlatform({ platform: openaiAdapter({ ...model, clock }), transcripts: memoryTranscripts(), clock })],
        feed: [feedAdapter({ sandboxUrl: sandbox.url, clock })],
        history: [recorded({ ...emptyHistory, catalogue, clock })],
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

  // `discord.answer` needs a member who uses a command: see discord/rule-commands.
  const runnable = examples.filter(([verb]) => verb !== 'discord.answer');

  test.for(runnable)('%s', async ([verb, example]) => {
    const { rules } = ruleWith(example);
    const [rule] = rules;
    const at = rule?.then.findIndex((step) => step.do === verb) ?? -1;
    // The examples use other names than the sandbox.
    const named = rule && (JSON.parse(JSON.stringify(rule).replaceAll('"ada"', JSON.stringify(member))) as Rule); // the replacement keeps the type

    // Discord limits the messages to a channel in five seconds.
    await clock.advance(5_000);
    const made = named && (await whileSleeping(clock, run(verb, named)));

    expect(made?.[at]).toBeDefined();
  });
});

test.for([
  ['{ do: discord.send, with: { channel: live } }', 'there is nothing to send: give content, embed, embeds, layout or files'],
  ['{ do: discord.edit, with: { message: 1/2 } }', 'there is nothing to change: give content, embed, embeds, layout or buttons'],
  ['{ do: discord.put, with: { name: top, channel: live } }', 'there is nothing to say: give content, embed, embeds or layout'],
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
