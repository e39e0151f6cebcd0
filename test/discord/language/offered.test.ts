import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { otherLanguages } from '#src/discord/language/languages.ts';
import { type AppFixture, openApp } from '../app-fixture.ts';
import { FANFARE_COMMANDS } from '#src/rules/grammar/command-file.ts';
import { pageFiles, readPage } from '../../docs/pages.ts';

/** A registered command, subcommand, option or choice. */
interface Offered {
  readonly type?: number;
  readonly name: string;
  readonly name_localizations?: Readonly<Record<string, string>> | null;
  /** Choices and entries of menus have no description. */
  readonly description?: string;
  readonly description_localizations?: Readonly<Record<string, string>> | null;
  readonly options?: readonly Offered[];
  readonly choices?: readonly Offered[];
}

/** A registered name, its path, and the pattern that Discord requires. */
interface NameSearchResult {
  readonly path: string;
  readonly one: Offered;
  readonly kind: 'typed' | 'shown';
}

const DEFAULT = 'the default';
const LANGUAGES = [DEFAULT, ...otherLanguages];
const TYPED = /^[-_'\p{L}\p{N}]{1,32}$/u;
const SLASH = 1;
/** Of all names, descriptions and choices of a command together. */
const MOST_CHARACTERS = 8_000;

const PAGE = 'docs/reference/discord-commands.md';
/** Paths on servers and machines, which look like commands on a page. */
const OTHER_PATHS = new Set(['/readyz', '/healthz', '/metrics', '/control', '/messages', '/tmp', '/proc', '/data', '/api']);

/** The commands, subcommands and options that a page names, as paths. */
function namedOn(file: string): readonly string[] {
  const codes = [...readPage(file).text.matchAll(/`(\/\p{L}+)( [^`]*)?`/gu)];
  return codes.flatMap(([, command = '', rest = '']) => {
    const [, subcommand] = /^ ([\p{L}\p{N}_]+)(?![\p{L}\p{N}_:])/u.exec(rest) ?? [];
    const whole = subcommand === undefined ? command : `${command}/${subcommand}`;
    return [whole, ...[...rest.matchAll(/(?<= )(\w+):(?!\d)/gu)].map(([, option]) => `${whole}/${option}`)];
  });
}

/** The commands of the rules on a page, and their options. */
function commandsOfRules(file: string): readonly string[] {
  const { text } = readPage(file);
  return [...text.matchAll(/\bcommand: ([-\p{L}]+)/gu)].flatMap(([, command]) => [
    `/${command}`,
    ...[...text.matchAll(/(\w+): \{ type:/gu)].map(([, option]) => `/${command}/${option}`),
  ]);
}

function nameOf({ name, name_localizations: names }: Offered, language: string): string | undefined {
  return language === DEFAULT ? name : names?.[language];
}

function purposeOf({ description, description_localizations: texts }: Offered, language: string): string | undefined {
  return language === DEFAULT ? description : texts?.[language];
}

function everythingIn(one: Offered, above = '', kind: NameSearchResult['kind'] = 'typed'): readonly NameSearchResult[] {
  const path = `${above}/${one.name}`;
  const inside = (one.options ?? []).flatMap((option) => everythingIn(option, path));
  return [{ path, one, kind }, ...inside, ...(one.choices ?? []).flatMap((choice) => everythingIn(choice, path, 'shown'))];
}

describe('each command and option', () => {
  let fixture: AppFixture;
  let commands: readonly Offered[];
  let all: readonly NameSearchResult[];

  beforeAll(async () => {
    fixture = await openApp();
    const { guild } = await fixture.control<{ guild: { id: string } }>('/discord');
    const { id } = await fixture.rest<{ id: string }>('/users/@me');
    commands = await fixture.rest<readonly Offered[]>(`/applications/${id}/guilds/${guild.id}/commands?with_localizations=true`);
    all = commands.flatMap((command) => everythingIn(command, '', command.type === SLASH ? 'typed' : 'shown'));
  });

  afterAll(() => fixture[Symbol.asyncDispose]());

  test('has a valid name in every language', () => {
    const wrong = all.flatMap(({ path, one, kind }) =>
      LANGUAGES.flatMap((language) => {
        const name = nameOf(one, language) ?? '';
        const fits = kind === 'typed' ? TYPED.test(name) && name === name.toLowerCase() : name.length >= 1 && name.length <= 100;
        return fits ? [] : [`${path} in ${language}: ${JSON.stringify(name)}`];
      }),
    );

    expect(all.length).toBeGreaterThan(30);
    expect(wrong).toEqual([]);
  });

  test('has a description of at most 100 characters in every language', () => {
    const answered = all.filter(({ one }) => one.description !== undefined && one.description !== '');
    const wrong = answered.flatMap(({ path, one }) =>
      LANGUAGES.flatMap((language) => {
        const text = purposeOf(one, language) ?? '';
        const isTranslated = language === DEFAULT || text !== one.description;
        return text.length >= 1 && text.length <= 100 && isTranslated ? [] : [`${path} in ${language}: ${JSON.stringify(text)}`];
      }),
    );

    expect(wrong).toEqual([]);
  });

  test.for(LANGUAGES)('has no name twice in one place, in %s', (language) => {
    const groups = [commands, ...all.flatMap(({ one }) => [one.options ?? [], one.choices ?? []])];
    const twice = groups.flatMap((group) => {
      // Slash commands and menu commands have separate namespaces.
      const names = group.map((one) => `${one.type === undefined || one.type === SLASH ? '' : 'menu '}${nameOf(one, language)}`);
      return names.filter((name, index) => names.indexOf(name) < index);
    });

    expect(twice).toEqual([]);
  });

  test('fits into the limit of Discord in every language', () => {
    const longest = (texts: readonly (string | undefined)[]): number => Math.max(...texts.map((text) => text?.length ?? 0));
    const lengths = commands.map((command) => [
      command.name,
      everythingIn(command)
        .map(({ one }) => longest(LANGUAGES.map((each) => nameOf(one, each))) + longest(LANGUAGES.map((each) => purposeOf(one, each))))
        .reduce((sum, length) => sum + length, 0),
    ]);

    expect(lengths.filter(([, length]) => Number(length) > MOST_CHARACTERS)).toEqual([]);
  });

  test('is named correctly in the documentation', () => {
    const known = new Set([...all.map(({ path }) => path), ...pageFiles().flatMap(commandsOfRules)]);
    const german = commands.flatMap((command) => {
      const path = `/${nameOf(command, 'de')}`;
      return [path, ...(command.options ?? []).map((option) => `${path}/${nameOf(option, 'de')}`)];
    });
    const wrong = pageFiles().flatMap((file) =>
      namedOn(file)
        .filter((path) => !known.has(path) && !german.includes(path) && !OTHER_PATHS.has(path))
        .map((path) => `${file}: ${path}`),
    );

    expect(namedOn(PAGE)).toContain('/post/schedule/time');
    expect(wrong).toEqual([]);
  });

  test('is not a name for the command of a rule', () => {
    const slash = commands.filter(({ type }) => type === SLASH);

    const names = LANGUAGES.flatMap((language) => slash.flatMap((command) => nameOf(command, language) ?? []));

    expect([...FANFARE_COMMANDS].toSorted()).toEqual([...new Set(names)].toSorted());
  });

  test('is on the page of the commands', () => {
    const named = namedOn(PAGE);
    const slash = commands.filter(({ type }) => type === SLASH).map(({ name }) => `/${name}`);

    expect(slash.filter((command) => !named.includes(command))).toEqual([]);
  });
});
