import type { MessageComponentInteraction } from 'discord.js';
import { expect, test } from 'vitest';
import { systemClock } from '#src/clock.ts';
import type { Caller } from '#src/discord/caller.ts';
import { automationCommand } from '#src/discord/commands/automation.ts';
import { runQuestion } from '#src/discord/controls/run-card.ts';
import { memoryHandledEvents } from '#src/discord/handled-events.ts';
import { en } from '#src/discord/language/en/index.ts';
import { makeRule } from '../../support/rules.ts';
import { openControls, textOf } from './fixture.ts';

const NOW_MS = Date.UTC(2026, 10, 26, 12);
const MINUTE_MS = 60_000;

/** Two processes behind one address, each of which gets some of the clicks. */
function openProcesses() {
  const runs: string[] = [];
  const controls = {
    rules: async () => [{ id: 'greet', name: 'greet', on: true }],
    async runRule({ rule }: { readonly rule: string }) {
      runs.push(rule);
      return { decisions: [], firings: [] };
    },
  };
  const clock = { ...systemClock, nowMs: () => NOW_MS };
  const parts = { controls, clock, handled: memoryHandledEvents(clock) } as never; // the buttons use nothing else
  const processes = [automationCommand(parts), automationCommand(parts)];
  const caller = { texts: en, locale: 'en-GB', id: '3', name: 'Ada', may: () => true } as unknown as Caller; // as above
  return {
    runs,
    async click(at: 0 | 1, action: 'run' | 'leave', { id = '1', askedMs = NOW_MS } = {}): Promise<void> {
      const interaction = {
        message: { id, createdTimestamp: askedMs, flags: { has: () => true } },
        inGuild: () => true,
        update: async () => undefined,
        editReply: async () => undefined,
      } as unknown as MessageComponentInteraction; // as above
      await processes[at]?.components?.[action]?.(interaction, ['greet'], caller);
    },
  };
}

const closed = en.controls.errors.runPassed;

test('a process runs a rule after a question of another process', async () => {
  const { runs, ...processes } = openProcesses();

  await processes.click(0, 'run');
  await processes.click(1, 'run', { id: '2' });

  expect(runs).toEqual(['greet', 'greet']);
});

test.for([
  ['run', 'run', 1],
  ['leave', 'run', 0],
  ['run', 'leave', 1],
] as const)('after a click to %s, a click to %s at another process is refused', async ([first, second, count]) => {
  const { runs, ...processes } = openProcesses();
  await processes.click(0, first);

  await expect(processes.click(1, second)).rejects.toThrow(closed);

  expect(runs).toHaveLength(count);
});

test('a question is closed after five minutes', async () => {
  const { runs, ...processes } = openProcesses();

  await processes.click(0, 'run', { askedMs: NOW_MS - 5 * MINUTE_MS });
  await expect(processes.click(0, 'run', { id: '2', askedMs: NOW_MS - 5 * MINUTE_MS - 1 })).rejects.toThrow(closed);

  expect(runs).toHaveLength(1);
});

test.for([
  ['command: hi', 'discord.answer', 'when a member uses `/hi`', 'wenn ein Mitglied `/hi` benutzt'],
  ['webhook: shop', 'discord.send', 'when the webhook `shop` is received', 'wenn der Webhook `shop` empfangen wird'],
] as const)('a rule with %s is not offered to run', async ([when, verb, english, german]) => {
  const step = `{ do: ${verb}, with: { ${verb === 'discord.send' ? 'channel: live, ' : ''}content: hi } }`;
  await using fixture = await openControls({ files: { 'hi.yaml': `id: hi\nabout: Says hi.\nwhen: { ${when} }\nthen: [${step}]\n` } });

  const answers = [fixture.owner, fixture.german].map((member) => member.command('automation run', { rule: 'hi' }));

  const [first = '', second = ''] = (await Promise.all(answers)).map(textOf);
  expect(first).toContain(`This rule only runs ${english}, so`);
  expect(second).toContain(`Diese Regel läuft nur, ${german}.`);
});

test.for([
  [['discord.send', 'streaming.getUserVideos'], en.controls.running.speaks('discord')],
  [['streaming.getUserVideos'], undefined],
] as const)('the question for a rule with the steps %j names only accounts that post', ([verbs, about]) => {
  const steps = verbs.map((verb) => ({
    do: verb,
    creates: true,
    with: {},
    as: [verb.startsWith('discord') ? 'discord' : 'twitch'],
    reads: [],
  }));

  const { content } = runQuestion({ rule: makeRule({ then: steps }) } as never, { texts: en } as never); // the question reads nothing else

  expect(content?.split('\n')[1]).toBe(about);
});
