import type { Command } from 'commander';
import type { ShownDelivery } from '#src/queries/records.ts';
import { instantText } from './instant-text.ts';
import { oneLine } from './one-line.ts';
import { UserError } from '#src/errors.ts';
import type { Resolution } from '#src/controls/controls.ts';
import type { Resolver } from '#src/controls/offline.ts';
import type { Terminal } from './terminal.ts';

/** Declares the command `resolve`. */
export function declare(program: Command, out: Terminal): void {
  program
    .command('resolve')
    .description('say what became of a delivery that nobody knows the end of; without a delivery, list those that there are')
    .argument('[delivery]', 'as the list names it')
    .argument('[word]', 'sent: it is there; again: it is not, send it again')
    .action(async (delivery: string | undefined, word: string | undefined) => {
      const [{ openResolver }, { stepName }] = await Promise.all([import('#src/app/open-resolver.ts'), import('#src/rules/step-name.ts')]);
      const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
      process.exitCode = await resolve({ resolver: openResolver(process.env), delivery, word, stepName, timezone, out });
    });
}

/** So much of an id names a delivery; it may be given whole, too. */
const NAME_LENGTH = 8;
const SHORTEST_NAME = 4;
const LONGEST_TEXT = 200;

export interface ResolveOptions {
  readonly resolver: Resolver;
  /** The beginning of its id; absent: all that are undecided are listed. */
  readonly delivery: string | undefined;
  /** What became of it; absent: it is shown. */
  readonly word: string | undefined;
  /** What a step is called. */
  readonly stepName: (position: ShownDelivery['position']) => string;
  /** The zone of whoever reads. */
  readonly timezone: string;
  readonly out: Terminal;
}

/** Lists what nobody knows the end of, or takes the operator's word on one of them; the exit code is 1 where the word could not be taken. */
export async function resolve(options: ResolveOptions): Promise<number> {
  const { delivery: name, word, out } = options;
  if (name === undefined) return list(options);
  if (word !== undefined && !isWord(word)) {
    throw new UserError(`${JSON.stringify(word)} says nothing of a delivery: say sent (it is there), or again (it is not: send it again).`);
  }
  const delivery = await find(name, options);
  if (delivery.state !== 'unknown') {
    out.printError(`Nobody has to say anything about ${nameOf(delivery, options)}: it is ${delivery.state}.`);
    return 1;
  }
  if (word === undefined) {
    print(delivery, options);
    return 0;
  }
  return say(delivery, word, options);
}

async function list(options: ResolveOptions): Promise<number> {
  const { resolver, timezone, out } = options;
  const { items, more } = await resolver.undecided();
  if (items.length === 0) {
    out.print(`${out.paint('green', 'Nothing is undecided:')} of every delivery it is known whether it was sent.`);
    return 0;
  }
  const count = items.length === 1 && !more ? 'One delivery' : `${items.length}${more ? ' and more' : ''} deliveries`;
  out.print(`${count} may have been sent or not. Look there, then say which; nothing is sent before (times in ${timezone}).`);
  for (const delivery of items) {
    out.print('');
    print(delivery, options);
  }
  return 0;
}

/** What to look for and where, and what to type then. */
function print(delivery: ShownDelivery, options: ResolveOptions): void {
  const { timezone, out } = options;
  const { id, message: reason, attemptedAt, createdAt } = delivery;
  out.print(`${out.paint('bold', nameOf(delivery, options))}, ${instantText(attemptedAt ?? createdAt, timezone)}`);
  const text = textOf(delivery);
  if (text !== undefined) out.print(`  it says:  ${text}`);
  if (reason !== undefined) out.print(out.paint('dim', `  why:      ${oneLine(reason)}`));
  out.print(`  it is there:                ${out.paint('cyan', `fanfare resolve ${shortName(id)} sent`)}`);
  out.print(`  it is not, send it again:   ${out.paint('cyan', `fanfare resolve ${shortName(id)} again`)}`);
}

async function find(given: string, { resolver }: ResolveOptions): Promise<ShownDelivery> {
  const name = withoutHyphen(given);
  if (name.length < SHORTEST_NAME) throw new UserError(`${JSON.stringify(name)} is too short: give at least ${SHORTEST_NAME} letters.`);
  const found = await resolver.named(name);
  const [first] = found;
  if (!first) throw new UserError(`There is no delivery ${JSON.stringify(name)}. What is undecided: fanfare resolve`);
  if (found.length === 1) return first;
  throw new UserError(`${JSON.stringify(name)} begins several: ${found.map(({ id }) => withoutHyphen(id)).join(', ')}. Give more of it.`);
}

async function say(delivery: ShownDelivery, word: Resolution, options: ResolveOptions): Promise<number> {
  const { resolver, out } = options;
  const name = nameOf(delivery, options);
  if (!(await resolver.resolve(delivery, word))) {
    out.printError(`Somebody else has said in the meantime what became of ${name}; nothing was changed. How it is now: fanfare resolve`);
    return 1;
  }
  const done = word === 'sent' ? 'counts as sent.' : 'is sent again: within half a minute where Fanfare runs, else once it is started.';
  out.print(`${out.paint('green', name)} ${done}`);
  return 0;
}

/** `live-card, card: discord.send through discord`. */
function nameOf({ rule, position, postedBy, do: verb, account }: ShownDelivery, { stepName }: ResolveOptions): string {
  const what = postedBy === undefined ? `${rule}, ${stepName(position)}` : `post by ${postedBy}`;
  return oneLine(`${what}: ${verb} through ${account}`);
}

/** What it says, so that it can be looked for. */
function textOf({ params = {} }: ShownDelivery): string | undefined {
  const { text, content, embed } = params;
  const title = typeof embed === 'object' && embed !== null && 'title' in embed ? embed['title'] : undefined;
  const said = [text, content, title].find((one) => typeof one === 'string' && one.trim() !== '');
  if (typeof said !== 'string') return undefined;
  const line = oneLine(said).trim();
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT).toWellFormed()}…` : line;
}

/** What would be taken for an option is left out. */
function withoutHyphen(id: string): string {
  return id.replace(/^-+/u, '');
}

function shortName(id: string): string {
  return withoutHyphen(id).slice(0, NAME_LENGTH);
}

function isWord(word: string): word is Resolution {
  return word === 'sent' || word === 'again';
}
