import { Option, type Command } from 'commander';
import { z } from 'zod';
import { RuleTestAnswer } from '#src/admin/queries/action-answers.ts';
import { toTestAnswer } from '#src/admin/queries/to-answers.ts';
import { DiagnosticAnswer } from '#src/admin/queries/diagnostic-answer.ts';
import type { Scaffold, ScaffoldAnswers } from '#src/admin/scaffold/answers.ts';
import { ConfigError } from '#src/errors.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import * as ask from './new-questions.ts';
import type { Prompter, Question } from './prompter.ts';
import type { RuleFiles } from '#src/engine/simulation/rule-files.ts';
import { forQuestions, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('new'), {
    group: 'rules',
    summary: 'Create a rule and its test',
    description: [
      'Create a rule and its test. The command asks what to watch and where to announce. With --kind, it asks nothing: options give the answers, and options that are missing have their defaults.',
      'A rule created on the sandbox has enabled: sandbox. To run it with real accounts, set enabled: true.',
    ],
    examples: [
      ['Answer questions', 'fanfare new'],
      ['Announce two channels when they go live', 'fanfare new --kind live --channels ada,grace --say discord'],
      ['Announce the top three of a game', 'fanfare new --kind top --game VALORANT --take 3 --every 5m'],
    ],
    exits: ['The rule is written, and its test passed', 'An answer is not valid, the id is taken, or the test failed'],
  })
    .addOption(
      completed(
        '--kind <kind>',
        'What to watch: top (top list of a game), live (channels that go live), clips or posts',
        Object.keys(ask.KINDS),
      ),
    )
    .option('--game <name>', 'Game; required for top and clips')
    .option('--channels <names>', 'Channels, separated by commas; required for live')
    .option('--user <handle>', 'Author of the posts; required for posts')
    .addOption(
      completed('--say <where>', 'Where to announce: discord, social or both (default: discord if it is connected)', [
        'discord',
        'social',
        'both',
      ]),
    )
    .option('--discord-channel <name>', 'Discord channel (default: live for live, else stream-news)')
    .option('--every <time>', 'Time between two polls, from 5s to 12h (default: 1m for live, 15m for clips, else 5m)')
    .option('--min <count>', 'Minimum number of viewers, or of views of a clip (default: 0)')
    .option('--take <count>', 'Length of the top list, from 1 to 100 (default: 5)')
    .option('--account <name>', 'Account that reads the platform (default: the default account)')
    .option('--id <id>', 'Id of the rule (default: made from the other answers)');
  answering(command, {
    schema: NewAnswer,
    out,
    async run(shown, options: NewOptions) {
      const [{ prompter }, { openScaffold }, { openRules }] = await Promise.all([
        import('./prompter.ts'),
        import('#src/app/open-scaffold.ts'),
        import('#src/app/open-rules.ts'),
      ]);
      using asking = prompter({ input: process.stdin, out: forQuestions(out) });
      return await newRule({
        scaffold: openScaffold(process.env),
        rules: openRules(process.env),
        options,
        prompter: asking,
        out: shown,
      });
    },
  });
}

/** An option with values for the Tab key. The questions check it, because the accounts decide which values it can have. */
function completed(flags: string, description: string, values: readonly string[]): Option {
  return Object.assign(new Option(flags, description), { argChoices: [...values] });
}

const NewAnswer = z.object({
  file: z.string().describe('The rule file.'),
  testFile: z.string().describe('The test file.'),
  rule: z.string().describe('The text of the rule file.'),
  written: z.boolean().describe('Whether the files were written. A rule with errors is not.'),
  diagnostics: z.array(DiagnosticAnswer).readonly().describe('The errors and warnings of the rule.'),
  tests: RuleTestAnswer.optional().describe('The results of its test; absent if it was not written.'),
});

/** The options of the command. */
export type NewOptions = Partial<
  Record<'kind' | 'game' | 'channels' | 'user' | 'say' | 'discordChannel' | 'every' | 'min' | 'take' | 'account' | 'id', string>
>;

export interface NewRuleOptions {
  readonly scaffold: Scaffold;
  readonly rules: Pick<RuleFiles, 'load' | 'runTests' | 'formatDiagnostic'>;
  readonly options: NewOptions;
  readonly prompter: Prompter;
  readonly out: Terminal;
}

/** Asks for the parts of a rule and writes the rule with its tests. The exit code is 1 if the rule has errors or its tests fail. */
export async function newRule({ scaffold, rules, options, prompter, out }: NewRuleOptions): Promise<Answer<z.input<typeof NewAnswer>>> {
  const draft = scaffold.draft(await answersOf({ scaffold, options, prompter }));
  out.print(`\n${out.paint('dim', `# ${draft.file}`)}\n${draft.rule}`);
  for (const diagnostic of draft.diagnostics) out.print(`${rules.formatDiagnostic(diagnostic, out)}\n`);
  const { file, testFile, rule } = draft;
  if (draft.diagnostics.some(({ severity }) => severity === 'error'))
    return { data: { file, testFile, rule, written: false, diagnostics: draft.diagnostics }, exitCode: 1 };
  await scaffold.write(draft);
  out.print(`${out.paint('green', 'written')} ${draft.file}\n${out.paint('green', 'written')} ${draft.testFile}`);
  const ran = await rules.runTests([file]);
  const { diagnostics, cases } = ran;
  for (const diagnostic of diagnostics) out.print(`${rules.formatDiagnostic(diagnostic, out)}\n`);
  for (const { print } of cases) out.print(print(out));
  const isGood = diagnostics.length === 0 && cases.every(({ passed }) => passed);
  if (isGood)
    out.print(`\nIf Fanfare is running, it loads the rule now. To see what it would announce: fanfare preview ${idOf(draft.file)}`);
  return {
    data: { file, testFile, rule, written: true, diagnostics: draft.diagnostics, tests: toTestAnswer(ran) },
    exitCode: isGood ? 0 : 1,
  };
}

const UNUSED_BY = {
  top: ['channels', 'user'],
  live: ['game', 'user', 'take'],
  clips: ['channels', 'user', 'take'],
  posts: ['game', 'channels', 'min', 'take'],
} as const;

type Ask = <T>(question: Question<T>, flag: string, text: string | undefined) => Promise<T>;

async function answersOf({
  scaffold,
  options,
  prompter,
}: Pick<NewRuleOptions, 'scaffold' | 'options' | 'prompter'>): Promise<ScaffoldAnswers> {
  // With `--kind`, missing options have their defaults.
  const isAsked = options.kind === undefined;
  const answer: Ask = async (question, flag, option) => {
    if (option === undefined && isAsked) return prompter.ask(question);
    const text = option ?? question.usual;
    if (text === undefined) throw new UsageError('this option is required', { argument: flag, hint: question.text });
    const read = question.read(text);
    if ('error' in read) throw new UsageError(`${read.error}; found ${JSON.stringify(text)}`, { argument: flag });
    return read.value;
  };

  const kind = await answer(ask.kindQuestion, '--kind', options.kind);
  const unused = UNUSED_BY[kind].find((name) => options[name] !== undefined);
  if (unused) throw new UsageError(`a rule of the kind ${kind} does not use it`, { argument: `--${unused}` });
  const { game, channels, user } = options;
  const sources = { top: ['--game', game], clips: ['--game', game], live: ['--channels', channels], posts: ['--user', user] } as const;
  const [flag, source] = sources[kind];
  const whom = await answer(ask.whomQuestion(kind), flag, source);
  const account = await accountFor(kind === 'posts' ? 'social' : 'streaming', { scaffold, answer, option: options.account });
  const take = kind === 'top' ? await answer(ask.takeQuestion, '--take', options.take) : 0;
  const least = kind === 'posts' ? 0 : await answer(ask.leastQuestion(kind), '--min', options.min);
  const every = await answer(ask.everyQuestion(kind), '--every', options.every);
  const clients = await answer(ask.targetQuestion(targetClients(scaffold)), '--say', options.say);
  if (options.discordChannel !== undefined && !clients.includes('discord'))
    throw new UsageError('the rule does not announce in Discord', { argument: '--discord-channel' });
  const channel = clients.includes('discord')
    ? await answer(ask.channelQuestion(kind), '--discord-channel', options.discordChannel)
    : undefined;
  const targets = { post: clients.includes('social'), channel };
  const id = await answer(await freeId(ask.idQuestion({ kind, whom }), scaffold), '--id', options.id);
  if (await scaffold.isTaken(id)) throw new ConfigError(`there is already a rule ${id}`, { file: '--id', hint: 'choose another id' });
  return { id, kind, whom, targets, every, least, take, account };
}

async function accountFor(
  client: 'streaming' | 'social',
  { scaffold, answer, option }: { readonly scaffold: Scaffold; readonly answer: Ask; readonly option: string | undefined },
): Promise<string | undefined> {
  const { all, defaults } = scaffold.accountsFor(client);
  if (all.length === 0)
    throw new ConfigError(`no ${client} account is configured`, {
      file: 'environment',
      hint: `Connect one: fanfare auth ${client === 'social' ? 'mastodon' : 'twitch'}`,
    });
  return option === undefined && defaults.length === 1 ? undefined : answer(ask.accountQuestion(all), '--account', option);
}

/** The clients with an account that can announce. */
function targetClients(scaffold: Scaffold): readonly ('discord' | 'social')[] {
  const targets = (['discord', 'social'] as const).filter((client) => scaffold.accountsFor(client).all.length > 0);
  if (targets.length === 0)
    throw new ConfigError('no account can announce', {
      file: 'environment',
      hint: 'Connect Discord or a social platform: fanfare auth discord',
    });
  return targets;
}

/** The question with the default id, or with the next id that is free. */
async function freeId(question: Question<string>, scaffold: Scaffold): Promise<Question<string>> {
  const { usual = 'rule' } = question;
  let free = usual;
  for (let number = 2; await scaffold.isTaken(free); number++) free = `${usual}-${number}`;
  return { ...question, usual: free };
}

function idOf(file: string): string {
  return file.replace(/^.*\/|\.yaml$/gu, '');
}
