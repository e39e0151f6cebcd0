import { expect, test } from 'vitest';
import { complete } from '#src/cli/complete.ts';
import { program } from '#src/cli/program.ts';
import { terminal } from '#src/cli/terminal.ts';

const out = terminal(process);
const load = (command = '') => program(['', '', command], out);

const ruleIds = (): Promise<readonly string[]> => Promise.resolve(['live-card', 'live-role', 'games/Go']);

/** The completion of a line: its words, and whether file names complete it. */
async function completed(line: string): Promise<string> {
  const { candidates, files } = await complete({
    words: line.split(' '),
    load,
    names: { rule: ruleIds, rules: ruleIds, account: () => Promise.resolve(['twitch', 'x']) },
  });
  return [...candidates.map(({ word }) => word), ...(files ? ['(files)'] : [])].join(' ');
}

test.for([
  ['to', 'token'],
  ['re', 'replay resume resolve resend restore'],
  ['nothing', ''],
  ['nothing x', ''],
  ['token ', 'create list revoke'],
  ['token c', 'create'],
  ['token create --', '--name --scope --expires --json --help'],
  ['token create --scope write --s', ''],
  ['token create --scope=write --', '--name --expires --json --help'],
  ['token create --scope ', 'metrics read write admin'],
  ['token create --name ', ''],
  ['token create --name x', ''],
  ['start --role w', 'worker web'],
  ['pause ', 'live-card live-role games/Go'],
  ['pause live-c', 'live-card'],
  ['pause live-card ', ''],
  ['pause -- --', ''],
  ['test live-card ', 'live-card live-role games/Go (files)'],
  ['rules r', 'rollback'],
  ['auth t', 'twitch'],
  ['auth twitch ', ''],
  ['new --kind ', 'top live clips posts'],
  ['new --say ', 'discord social both'],
  ['help pre', 'preview'],
  ['help preview ', ''],
  ['restore ', '(files)'],
  ['migrate --to ', '(files)'],
  ['backup x ', ''],
] as const)('%s: %s', async ([line, words]) => {
  expect(await completed(line)).toBe(words);
});

test('all commands of the help are offered, with their summaries', async () => {
  const { candidates } = await complete({ words: [''], load, names: {} });
  const all = (await load()).commands.filter((command) => command.name() !== 'bench');

  expect(candidates.filter(({ word }) => word !== 'bench' && word !== 'help')).toEqual(
    all.map((command) => ({ word: command.name(), about: command.summary() })),
  );
});
