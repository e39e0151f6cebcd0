import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openExplainer } from '#src/app/open-explainer.ts';
import { printRules } from '#src/cli/print-rules.ts';
import { openStore } from '#src/store/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collectLines } from './collect-lines.ts';

const ruleOf = (id: string, more = ''): string => `id: ${id}
when: { every: 5m, watch: streaming.getGameStreams, with: { game: Chess } }
${more}
then: [{ do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }]
`;

test('rules are listed with their state, their schedule and their last decision, running rules first', async () => {
  using folder = temporaryFolder();
  const [rules, data] = [join(folder.path, 'rules'), join(folder.path, 'data')];
  for (const made of [rules, data]) await mkdir(made);
  const files = {
    'a-off': ruleOf('a-off', 'enabled: false'),
    broken: ruleOf('broken', 'evry: 1m'),
    ended: ruleOf('ended'),
    paused: ruleOf('paused'),
    top: ruleOf('top'),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(rules, `${name}.yaml`), text);
  const nowMs = Date.now();
  {
    await using store = await openStore({ file: join(data, 'fanfare.sqlite') });
    await store.ruleStates.changePauses(['paused'], { pause: { by: 'ada', untilMs: Date.UTC(2126, 11, 24, 18) } });
    await store.ruleStates.changePauses(['ended'], { pause: { by: 'ada', untilMs: nowMs - 1 } });
    const holidays = { by: 'ada', fromMs: Date.UTC(2126, 11, 24, 18), untilMs: Date.UTC(2126, 11, 27) };
    await store.ruleStates.changePauses(['top'], { pause: holidays });
    const decisions = [{ rule: 'top', atMs: Date.UTC(2026, 10, 20, 18), outcome: 'fired', message: 'ada went live' }] as const;
    const change = { memory: { firings: 1, firedMs: {} }, put: [], drop: [] };
    await store.ruleStates.commit({ rule: 'top', slotMs: nowMs, change, firings: [], withdrawals: [], decisions });
  }

  const views = await openExplainer({ FANFARE_RULES: rules, FANFARE_DATA: data }).list();
  const listedMs = Date.now();
  const { out, text } = collectLines();
  printRules(views, 'UTC', out);

  const lines = text().split('\n');
  expect(lines.slice(0, 5).map((line) => line.split(/ {2,}/u).slice(0, 3))).toEqual([
    ['ended', 'on', 'every 5m'],
    ['paused', expect.stringMatching(/^paused until .*24 Dec.* 18:00:00$/u), 'every 5m'],
    ['top', expect.stringMatching(/^on, paused from .*24 Dec.* 18:00:00$/u), 'every 5m'],
    ['a-off', 'off', 'every 5m'],
    ['broken.yaml', 'has errors', expect.stringContaining('broken.yaml')],
  ]);
  expect(lines[2]).toMatch(/fired Fri.* 20 Nov.* 18:00:00: ada went live$/u);
  const next = views.find(({ id }) => id === 'top')?.nextRunAt?.getTime() ?? 0;
  expect(next - nowMs).toBeGreaterThan(0);
  // The time of a slot can have come before the list was made.
  expect(next - listedMs).toBeLessThanOrEqual(300_000);
});
