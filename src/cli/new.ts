import type { Command } from 'commander';
import type { ScaffoldAnswers } from '#src/scaffold/answers.ts';
import type { Scaffold } from '#src/scaffold/answers.ts';
import { ConfigError } from '#src/errors.ts';
import * as ask from './new-questions.ts';
import type { Prompter, Question } from './prompter.ts';
import type { RuleFiles } from '#src/queries/rule-files.ts';
import type { Terminal } from './terminal.ts';

/** Declares the command `new`. */
export function declare(program: Command, out: Terminal): void {
  program
    .command('new')
    .description('write a rule and its tests: asks a few questions, or takes the answers as options')
    .option('--kind <kind>', 'what to watch: top, live, clips or posts; with it nothing is asked, and what is left out is as usual')
    .option('--game <name>', 'the game, for top and clips')
    .option('--channels <names>', 'the channels, for live, with commas between')
    .option('--user <handle>', 'whose posts, for posts')
    .option('--say <where>', 'discord, social or both')
    .option('--discord-channel <name>', 'where in Discord')
    .option('--every <time>', 'how often to look, as 5m')
    .option('--min <count>', 'how many viewers, or views of a clip, at least')
    .option('--take <places>', 'how many places of a top list')
    .option('--account <name>', 'the account that looks')
    .option('--id <id>', 'what the rule is called')
    .action(async (options: NewOptions) => {
      const [{ prompter }, { openScaffold }, { openRules }] = await Promise.all([
        import('./prompter.ts'),
        import('#src/app/open-scaffold.ts'),
        import('#src/app/open-rules.ts'),
      ]);
      using asking = prompter({ input: process.stdin, out });
      process.exitCode = await newRule({
        drafter: openScaffold(process.env),
        rules: openRules(process.env),
        options,
        prompter: asking,
        out,
      });
    });
}

/** The answers that were given as options. */
export interface NewOptions {
  readonly kind?: string | undefined;
  readonly game?: string | undefined;
  readonly channels?: string | undefined;
  readonly user?: string | undefined;
  readonly say?: string | undefined;
  readonly discordChannel?: string | undefined;
  readonly every?: string | undefined;
  readonly min?: string | undefined;
  readonly take?: string | undefined;
  readonly account?: string | undefined;
  readonly id?: string | undefined;
}

export interface NewRuleOptions {
  readonly drafter: Scaffold;
  readonly rules: Pick<RuleFiles, 'load' | 'runTests' | 'formatDiagnostic'>;
  readonly options: NewOptions;
  readonly prompter: Prompter;
  readonly out: Terminal;
}

/** Asks what a rule shall do, and writes it with its tests; the exit code is 1 where it could not run as it is. */
export async function newRule({ drafter, rules, options, prompter, out }: NewRuleOptions): Promise<number> {
  const draft = drafter.draft(await answersOf({ drafter, options, prompter }));
  out.print(`\n${out.paint('dim', `# ${draft.file}`)}\n${draft.rule}`);
  for (const diagnostic of draft.diagnostics) out.print(`${rules.formatDiagnostic(diagnostic, out)}\n`);
  if (draft.diagnostics.some(({ severity }) => severity === 'error')) return 1;
  await drafter.write(draft);
  out.print(`${out.paint('green', 'written')} ${draft.file}\n${out.paint('green', 'written')} ${draft.testFile}`);
  const { diagnostics, cases } = await rules.runTests([draft.file]);
  for (const diagnostic of diagnostics) out.print(`${rules.formatDiagnostic(diagnostic, out)}\n`);
  for (const { print } of cases) out.print(print(out));
  const isGood = diagnostics.length === 0 && cases.every(({ passed }) => passed);
  if (isGood) out.print(`\nA Fanfare that runs here takes it up by itself. What it would say now: fanfare preview ${idOf(draft.file)}`);
  return isGood ? 0 : 1;
}

type Asking = Pick<NewRuleOptions, 'drafter' | 'options' | 'prompter'>;

async function answersOf({ drafter, options, prompter }: Asking): Promise<ScaffoldAnswers> {
  // Whoever says what to watch is not asked: what is left out is as usual.
  const isAsked = options.kind === undefined;
  const answer = async <T>(question: Question<T>, flag: string, given: string | undefined): Promise<T> => {
    if (given === undefined && isAsked) return prompter.ask(question);
    const text = given ?? question.usual;
    if (text === undefined) throw new ConfigError('it is missing', { file: flag, hint: question.text });
    const read = question.read(text);
    if ('wrong' in read) throw new ConfigError(`${JSON.stringify(text)}: ${read.wrong}`, { file: flag });
    return read.value;
  };

  const kind = await answer(ask.kindQuestion, '--kind', options.kind);
  const [flag, given] = { top: GAME, clips: GAME, live: CHANNELS, posts: USER }[kind](options);
  const whom = await answer(ask.whomQuestion(kind), flag, given);
  const account = await accountFor(kind === 'posts' ? 'social' : 'streaming', { drafter, answer, given: options.account });
  const take = kind === 'top' ? await answer(ask.takeQuestion, '--take', options.take) : 0;
  const least = kind === 'posts' ? 0 : await answer(ask.leastQuestion(kind), '--min', options.min);
  const every = await answer(ask.everyQuestion(kind), '--every', options.every);
  const say = await answer(ask.sayQuestion(placesOf(drafter)), '--say', options.say);
  const channel = say.includes('discord')
    ? await answer(ask.channelQuestion(kind), '--discord-channel', options.discordChannel)
    : undefined;
  const targets = { post: say.includes('social'), channel };
  const id = await answer(await freeId(ask.idQuestion({ kind, whom }), drafter), '--id', options.id);
  if (await drafter.isTaken(id))
    throw new ConfigError(`there is a rule ${id} already, and it stays as it is`, { file: '--id', hint: 'choose another id' });
  return { id, kind, whom, targets, every, least, take, account };
}

const GAME = ({ game }: NewOptions): readonly [string, string | undefined] => ['--game', game];
const CHANNELS = ({ channels }: NewOptions): readonly [string, string | undefined] => ['--channels', channels];
const USER = ({ user }: NewOptions): readonly [string, string | undefined] => ['--user', user];

type Answer = <T>(question: Question<T>, flag: string, given: string | undefined) => Promise<T>;

async function accountFor(
  client: 'streaming' | 'social',
  { drafter, answer, given }: { readonly drafter: Scaffold; readonly answer: Answer; readonly given: string | undefined },
): Promise<string | undefined> {
  const { all, defaults } = drafter.accountsFor(client);
  if (all.length === 0)
    throw new ConfigError(`no account could read that`, { file: 'the environment', hint: `set the credentials of a ${client} platform` });
  // Where one is meant anyway, nobody is asked.
  return given === undefined && defaults.length === 1 ? undefined : answer(ask.accountQuestion(all), '--account', given);
}

function placesOf(drafter: Scaffold): readonly ('discord' | 'social')[] {
  const targets = (['discord', 'social'] as const).filter((client) => drafter.accountsFor(client).all.length > 0);
  if (targets.length === 0)
    throw new ConfigError('there is no account to say anything through', {
      file: 'the environment',
      hint: 'set the credentials of Discord or of a social platform',
    });
  return targets;
}

/** The usual name, or the next one that is free. */
async function freeId(question: Question<string>, drafter: Scaffold): Promise<Question<string>> {
  const { usual = 'rule' } = question;
  let free = usual;
  for (let number = 2; await drafter.isTaken(free); number++) free = `${usual}-${number}`;
  return { ...question, usual: free };
}

function idOf(file: string): string {
  return file.replace(/^.*\/|\.yaml$/gu, '');
}
