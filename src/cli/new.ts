import type { DraftAnswers } from '#src/app/drafting/answers.ts';
import type { Drafter } from '#src/app/drafting/open-drafter.ts';
import { ConfigError } from '#src/errors.ts';
import * as ask from './new-questions.ts';
import type { Prompter, Question } from './prompter.ts';
import type { RuleShelf } from './rule-shelf.ts';
import type { Terminal } from './terminal.ts';

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
  readonly drafter: Drafter;
  readonly rules: Pick<RuleShelf, 'load' | 'runTests' | 'printProblem'>;
  readonly options: NewOptions;
  readonly prompter: Prompter;
  readonly out: Terminal;
}

/** Asks what a rule shall do, and writes it with its tests; the exit code is 1 where it could not run as it is. */
export async function newRule({ drafter, rules, options, prompter, out }: NewRuleOptions): Promise<number> {
  const draft = drafter.draft(await answersOf({ drafter, options, prompter }));
  out.print(`\n${out.paint('dim', `# ${draft.file}`)}\n${draft.rule}`);
  for (const problem of draft.problems) out.print(`${rules.printProblem(problem, out)}\n`);
  if (draft.problems.some(({ severity }) => severity === 'error')) return 1;
  await drafter.write(draft);
  out.print(`${out.paint('green', 'written')} ${draft.file}\n${out.paint('green', 'written')} ${draft.testFile}`);
  const { problems, cases } = await rules.runTests([draft.file]);
  for (const problem of problems) out.print(`${rules.printProblem(problem, out)}\n`);
  for (const { print } of cases) out.print(print(out));
  const isGood = problems.length === 0 && cases.every(({ passed }) => passed);
  if (isGood) out.print(`\nA Fanfare that runs here takes it up by itself. What it would say now: fanfare preview ${idOf(draft.file)}`);
  return isGood ? 0 : 1;
}

type Asking = Pick<NewRuleOptions, 'drafter' | 'options' | 'prompter'>;

async function answersOf({ drafter, options, prompter }: Asking): Promise<DraftAnswers> {
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
  const places = { post: say.includes('social'), channel };
  const id = await answer(await freeId(ask.idQuestion({ kind, whom }), drafter), '--id', options.id);
  if (await drafter.isTaken(id))
    throw new ConfigError(`there is a rule ${id} already, and it stays as it is`, { file: '--id', hint: 'choose another id' });
  return { id, kind, whom, places, every, least, take, account };
}

const GAME = ({ game }: NewOptions): readonly [string, string | undefined] => ['--game', game];
const CHANNELS = ({ channels }: NewOptions): readonly [string, string | undefined] => ['--channels', channels];
const USER = ({ user }: NewOptions): readonly [string, string | undefined] => ['--user', user];

type Answer = <T>(question: Question<T>, flag: string, given: string | undefined) => Promise<T>;

async function accountFor(
  client: 'streaming' | 'social',
  { drafter, answer, given }: { readonly drafter: Drafter; readonly answer: Answer; readonly given: string | undefined },
): Promise<string | undefined> {
  const { all, defaults } = drafter.accountsFor(client);
  if (all.length === 0)
    throw new ConfigError(`no account could read that`, { file: 'the environment', hint: `set the credentials of a ${client} platform` });
  // Where one is meant anyway, nobody is asked.
  return given === undefined && defaults.length === 1 ? undefined : answer(ask.accountQuestion(all), '--account', given);
}

function placesOf(drafter: Drafter): readonly ('discord' | 'social')[] {
  const places = (['discord', 'social'] as const).filter((client) => drafter.accountsFor(client).all.length > 0);
  if (places.length === 0)
    throw new ConfigError('there is no account to say anything through', {
      file: 'the environment',
      hint: 'set the credentials of Discord or of a social platform',
    });
  return places;
}

/** The usual name, or the next one that is free. */
async function freeId(question: Question<string>, drafter: Drafter): Promise<Question<string>> {
  const { usual = 'rule' } = question;
  let free = usual;
  for (let number = 2; await drafter.isTaken(free); number++) free = `${usual}-${number}`;
  return { ...question, usual: free };
}

function idOf(file: string): string {
  return file.replace(/^.*\/|\.yaml$/gu, '');
}
