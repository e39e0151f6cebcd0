import type { ScaffoldAnswers, ScaffoldKind } from '#src/admin/scaffold/answers.ts';
import { parseDuration } from '#src/clients/operation/duration.ts';
import { bareName } from '#src/clients/operation/parameters.ts';
import { nameInPage } from '#src/rules/grammar/channel-page.ts';
import type { Question } from './prompter.ts';

const LEAST_EVERY_MS = 5_000;
const MOST_EVERY_MS = 12 * 3_600_000;

/** The kinds of rules that `fanfare new` creates. */
export const KINDS: Readonly<Record<ScaffoldKind, string>> = {
  top: 'streams that enter the top list of a game',
  live: 'channels that go live',
  clips: 'new clips of a game',
  posts: 'new posts of an account',
};

/** Asks what to watch. */
export const kindQuestion: Question<ScaffoldKind> = {
  text: `What should the rule watch?\n${Object.entries(KINDS)
    .map(([kind, what]) => `  ${kind.padEnd(6)} ${what}`)
    .join('\n')}\n`,
  usual: 'live',
  read(answer) {
    const kind = answer.toLowerCase() as ScaffoldKind; // looked up in the next line
    return Object.hasOwn(KINDS, kind) ? { value: kind } : { error: oneOf(Object.keys(KINDS)) };
  },
};

/** Asks for the game, the channels or the author of the posts. */
export function whomQuestion(kind: ScaffoldKind): Question<readonly string[]> {
  const texts = {
    top: 'Which game?',
    live: 'Which channels? Separate them with commas.',
    clips: 'Which game?',
    posts: 'Whose posts? Enter a handle.',
  };
  return {
    text: texts[kind],
    read(answer) {
      const names = kind === 'live' ? answer.split(',').map((name) => handle(name.trim())) : [kind === 'posts' ? handle(answer) : answer];
      const whom = [...new Set(names.filter((name) => name !== ''))];
      if (whom.length === 0) return { error: 'a name is required' };
      if (whom.some((name) => /\p{Cc}|\$\{\{/u.test(name))) return { error: 'a name has no control characters and no ${{' };
      const hasSpaces = kind !== 'top' && kind !== 'clips' && whom.some((name) => /\s/u.test(name));
      return hasSpaces ? { error: `a name has no spaces${kind === 'live' ? ', and a comma separates names' : ''}` } : { value: whom };
    },
  };
}

/** Asks for the interval between polls. */
export function everyQuestion(kind: ScaffoldKind): Question<string> {
  return {
    text: 'How often should the rule poll, such as 30s, 5m or 1h?',
    usual: { top: '5m', live: '1m', clips: '15m', posts: '5m' }[kind],
    read(answer) {
      const ms = parseDuration(answer);
      if (ms === undefined || ms % 1000 !== 0) return { error: 'enter a duration such as 30s, 5m or 1h' };
      if (ms < LEAST_EVERY_MS || ms > MOST_EVERY_MS) return { error: 'enter 5s to 12h; for a time of the day, edit the file and use cron' };
      return { value: answer };
    },
  };
}

/** Asks for the minimum number of viewers or views. */
export function leastQuestion(kind: ScaffoldKind): Question<number> {
  return {
    text: kind === 'clips' ? 'Minimum number of views?' : 'Minimum number of viewers?',
    usual: '0',
    read: wholeNumber(0, 10_000_000),
  };
}

export const takeQuestion: Question<number> = {
  text: 'How many places of the top list should count?',
  usual: '5',
  read: wholeNumber(1, 100),
};

/** Asks for the channel in Discord. */
export function channelQuestion(kind: ScaffoldKind): Question<string> {
  return {
    text: 'Which Discord channel?',
    usual: kind === 'live' ? 'live' : 'stream-news',
    read(answer) {
      const name = answer.replace(/^#/u, '');
      return name === '' || /[\p{Cc}]|\$\{\{/u.test(name) ? { error: 'enter the name or the id of a channel' } : { value: name };
    },
  };
}

/** Asks where to announce. */
export function targetQuestion(targets: readonly ('discord' | 'social')[]): Question<readonly ('discord' | 'social')[]> {
  const choices = targets.length > 1 ? [...targets, 'both'] : targets;
  return {
    text: choices.length > 1 ? 'Where should the rule announce: discord, social or both?' : 'Where should the rule announce?',
    usual: choices[0],
    read(answer) {
      if (answer === 'both' && targets.length > 1) return { value: targets };
      const target = targets.find((one) => one === answer);
      return target ? { value: [target] } : { error: oneOf(choices) };
    },
  };
}

/** Asks for the account that reads, if there is no default. */
export function accountQuestion(all: readonly string[]): Question<string> {
  return {
    text: `Which account should read the platform? Accounts: ${all.join(', ')}.`,
    usual: all[0],
    read: (answer) => (all.includes(answer) ? { value: answer } : { error: oneOf(all) }),
  };
}

/** Asks for the id of the rule. */
export function idQuestion({ kind, whom }: Pick<ScaffoldAnswers, 'kind' | 'whom'>): Question<string> {
  return {
    text: 'What is the id of the rule? It cannot be changed later.',
    usual: slug(`${kind}-${whom.join('-')}`) || kind,
    read: (answer) =>
      /^[a-z0-9-]{1,64}$/u.test(answer)
        ? { value: answer }
        : { error: 'use only lowercase letters, digits and hyphens, at most 64 characters' },
  };
}

function wholeNumber(least: number, most: number): Question<number>['read'] {
  return (answer) => {
    const number = Number(answer);
    return /^\d+$/u.test(answer) && number >= least && number <= most
      ? { value: number }
      : { error: `enter a whole number from ${least} to ${most}` };
  };
}

function oneOf(choices: readonly string[]): string {
  return `enter one of ${choices.join(', ')}`;
}

function handle(name: string): string {
  return nameInPage(name) ?? bareName(name);
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, 40)
    .replace(/-+$/u, '');
}
