import { expect, test } from 'vitest';
import { asksPeople, ignoredKeys } from '#src/engine/simulation/assumptions.ts';
import { rulesOf } from '../../support/rule-language.ts';

const STREAMS = 'every: 1m, watch: streaming.getStreams, with: { users: [ada] }';
const SEND = 'then: [{ do: discord.send, with: { channel: live, content: hi } }]';

test.each([
  [`when: { ${STREAMS} }\n${SEND}`, []],
  [`when: { ${STREAMS}, settle: 2m, confirm: 2 }\n${SEND}`, ['settle', 'confirm']],
  [`when: { every: 1m }\ncooldown: 1h\nquiet: { from: "22:00", to: "08:00", timezone: UTC, then: hold }\n${SEND}`, ['cooldown', 'quiet']],
  [`when: { every: 1m }\nmode: single\nlimit: { firings: 1, per: 1h, then: drop }\n${SEND}`, ['limit', 'mode']],
])('a preview of %j ignores %j', (source, expected) => {
  const [rule] = rulesOf(`id: r\n${source}\n`);

  expect(rule && ignoredKeys(rule)).toEqual(expected);
});

test('a preview answers the questions of a rule', () => {
  const ask = 'then: [{ id: verdict, do: discord.ask, with: { channel: mods, content: "ok?", choices: [a, b] } }]';

  expect(rulesOf(`id: r\nwhen: { every: 1m }\n${ask}\n`).map(asksPeople)).toEqual([true]);
  expect(rulesOf(`id: r\nwhen: { every: 1m }\n${SEND}\n`).map(asksPeople)).toEqual([false]);
});
