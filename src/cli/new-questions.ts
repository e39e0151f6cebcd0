import type { ScaffoldAnswers, ScaffoldKind } from '#src/scaffold/answers.ts';
import { parseDuration } from '#src/operation/duration.ts';
import type { Question } from './prompter.ts';

const LEAST_EVERY_MS = 5_000;
const MOST_EVERY_MS = 12 * 3_600_000;

const KINDS: Readonly<Record<ScaffoldKind, string>> = {
  top: 'who enters the top list of a game',
  live: 'channels that go live',
  clips: 'new clips of a game',
  posts: 'new posts of an account',
};

/** What to watch. */
export const kindQuestion: Question<ScaffoldKind> = {
  text: `What shall be watched?\n${Object.entries(KINDS)
    .map(([kind, what]) => `  ${kind.padEnd(6)} ${what}`)
    .join('\n')}\n`,
  usual: 'live',
  read(answer) {
    const kind = answer.toLowerCase() as ScaffoldKind; // looked up in the next line
    return kind in KINDS ? { value: kind } : { wrong: `one of ${Object.keys(KINDS).join(', ')} is wanted` };
  },
};

/** Of whom. */
export function whomQuestion(kind: ScaffoldKind): Question<readonly string[]> {
  const texts = {
    top: 'Which game?',
    live: 'Which channels? Several with commas between.',
    clips: 'Which game?',
    posts: 'Whose posts? A handle.',
  };
  return {
    text: texts[kind],
    read(answer) {
      const names = kind === 'live' ? answer.split(',').map((name) => handle(name.trim())) : [kind === 'posts' ? handle(answer) : answer];
      const whom = [...new Set(names.filter((name) => name !== ''))];
      if (whom.length === 0) return { wrong: 'a name is needed' };
      const bad = whom.find((name) => /\p{Cc}|\$\{\{/u.test(name) || (kind !== 'top' && kind !== 'clips' && /\s/u.test(name)));
      return bad === undefined ? { value: whom } : { wrong: `${JSON.stringify(bad)} is no name` };
    },
  };
}

/** How often to look. */
export function everyQuestion(kind: ScaffoldKind): Question<string> {
  return {
    text: 'How often shall it look?',
    usual: { top: '5m', live: '1m', clips: '15m', posts: '5m' }[kind],
    read(answer) {
      const ms = parseDuration(answer);
      if (ms === undefined || ms % 1000 !== 0) return { wrong: 'write it as 30s, 5m or 1h' };
      if (ms < LEAST_EVERY_MS || ms > MOST_EVERY_MS)
        return { wrong: 'between 5s and 12h: a time of the day is written as cron, in the file' };
      return { value: answer };
    },
  };
}

/** How many at least. */
export function leastQuestion(kind: ScaffoldKind): Question<number> {
  return {
    text: kind === 'clips' ? 'How many views at least?' : 'How many viewers at least?',
    usual: '0',
    read: wholeNumber(0, 10_000_000),
  };
}

export const takeQuestion: Question<number> = { text: 'How many targets of the list?', usual: '5', read: wholeNumber(1, 100) };

/** In which channel in Discord. */
export function channelQuestion(kind: ScaffoldKind): Question<string> {
  return {
    text: 'In which channel in Discord?',
    usual: kind === 'live' ? 'live' : 'stream-news',
    read(answer) {
      const name = answer.replace(/^#/u, '');
      return name === '' || /[\p{Cc}]|\$\{\{/u.test(name) ? { wrong: 'the name of a channel is wanted, or its id' } : { value: name };
    },
  };
}

/** Where to say it. */
export function sayQuestion(targets: readonly ('discord' | 'social')[]): Question<readonly ('discord' | 'social')[]> {
  const choices = targets.length > 1 ? [...targets, 'both'] : targets;
  return {
    text: 'Where shall it be said?',
    usual: choices[0],
    read(answer) {
      if (answer === 'both' && targets.length > 1) return { value: targets };
      const place = targets.find((one) => one === answer);
      return place ? { value: [place] } : { wrong: `one of ${choices.join(', ')} is wanted` };
    },
  };
}

/** Which account reads, where none is meant by default. */
export function accountQuestion(all: readonly string[]): Question<string> {
  return {
    text: `Through which account shall it look? There are: ${all.join(', ')}.`,
    usual: all[0],
    read: (answer) => (all.includes(answer) ? { value: answer } : { wrong: `one of ${all.join(', ')} is wanted` }),
  };
}

/** Its name for ever. */
export function idQuestion({ kind, whom }: Pick<ScaffoldAnswers, 'kind' | 'whom'>): Question<string> {
  return {
    text: 'What shall the rule be called? It keeps this name for ever.',
    usual: slug(`${kind}-${whom.join('-')}`) || kind,
    read: (answer) => (/^[a-z0-9-]{1,64}$/u.test(answer) ? { value: answer } : { wrong: 'small letters, digits and - only, at most 64' }),
  };
}

function wholeNumber(least: number, most: number): Question<number>['read'] {
  return (answer) => {
    const number = Number(answer);
    return /^\d+$/u.test(answer) && number >= least && number <= most
      ? { value: number }
      : { wrong: `a whole number from ${least} to ${most} is wanted` };
  };
}

function handle(name: string): string {
  return name.replace(/^@/u, '');
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
