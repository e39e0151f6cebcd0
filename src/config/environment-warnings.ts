import { closestName, editSteps } from '#src/clients/operation/closest-name.ts';
import { readDotEnvLines, type DotEnvEntry } from './dot-env-lines.ts';
import { variableNames } from './environment.ts';
import { lineOfVariable } from './variable-lines.ts';

/** Something in the environment that probably has no effect. It never contains a value. */
export interface EnvironmentWarning {
  /** The file with its line, for example `.env:3`, or `environment`. */
  readonly where: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

export interface WarningSources {
  /** All variables, with those of `.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The text of the `.env` file in the working directory, if there is one. */
  readonly dotEnv?: string | undefined;
  /** The names of the variables in `fanfare.yaml`. */
  readonly named: readonly string[];
}

/** The first parts of variables that other programs also use. */
const COMMON = /^(?:PORT|HOST|DATABASE_|OTEL_|LOG_)/u;
/** Values without spaces. */
const CREDENTIAL = /_(?:ID|SECRET|TOKEN|API_KEY|PASSWORD|HANDLE)$/u;
/** In the environment, a name is a typing error if it has at most one wrong letter in this many. */
const CHARACTERS_PER_EDIT = 8;

/** For example from a Kubernetes secret that was not filled in. */
const EMPTY_KEY: EnvironmentWarning = {
  where: 'environment',
  message: 'FANFARE_KEY is empty, so each machine creates another key, and the others cannot read the tokens that it stores',
  hint: 'set the same key everywhere. To create one: openssl rand -base64 32',
};

/** Warnings about names close to known variables, and about values that Fanfare or Node reads in another way than they are written. */
export function warningsOf({ environment, dotEnv, named }: WarningSources): readonly EnvironmentWarning[] {
  const known = [...new Set([...variableNames(), ...named])];
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  const unset = known.filter((name) => !isSet(name));
  const { entries, unreadable } = readDotEnvLines(dotEnv ?? '');
  const ofFile = new Set(entries.map(({ name }) => name));
  // The last line of a name counts.
  const last = new Map(entries.map((entry) => [entry.name, entry]));
  return [
    ...(dotEnv?.includes('\0')
      ? [{ where: '.env', message: 'the file is not plain UTF-8, so variables of it are not read', hint: 'save it as UTF-8' }]
      : []),
    ...(dotEnv?.trim() === '' ? [{ where: '.env', message: 'the file is empty', hint: 'restore it, or delete it' }] : []),
    ...unreadable.map(({ line, firstWord }) => ({
      where: `.env:${line}`,
      message: 'this line is ignored, because it is not NAME=value',
      hint: known.includes(firstWord) ? `write ${firstWord}=…` : undefined,
    })),
    ...entries.flatMap((entry) =>
      known.includes(entry.name)
        ? entryWarnings(entry, { value: environment[entry.name], isLast: last.get(entry.name) === entry })
        : fileNameWarnings(entry, known, isSet),
    ),
    ...Object.keys(environment)
      .filter((name) => isSet(name) && !known.includes(name) && !ofFile.has(name))
      .flatMap((name) => environmentNameWarnings(name, unset)),
    ...known.flatMap((name) => {
      const warning = valueWarning(name, environment[name] ?? '');
      if (!warning) return [];
      const line = lineOfVariable(name, environment, dotEnv);
      return [{ where: line === undefined ? 'environment' : `.env:${line}`, ...warning }];
    }),
    ...(environment['FANFARE_KEY'] === '' && isSet('DATABASE_URL') ? [EMPTY_KEY] : []),
  ];
}

/** `value`: the value of the variable. */
function entryWarnings(
  { name, line, isEmpty, isMultiline, isCut }: DotEnvEntry,
  { value, isLast }: { readonly value: string | undefined; readonly isLast: boolean },
): readonly EnvironmentWarning[] {
  const where = `.env:${line}`;
  if (isMultiline) {
    return [{ where, message: `the next line is a part of the value of ${name}`, hint: 'close its quotes, and write no space behind =' }];
  }
  if (isCut) return [{ where, message: `# ends the value of ${name}`, hint: 'put the value in quotes' }];
  if (value) return [];
  if (isEmpty) return [{ where, message: `${name} is empty, which counts as not set`, hint: 'write its value, or remove the line' }];
  return isLast && value === ''
    ? [{ where, message: `this line has no effect, because the environment has an empty ${name}`, hint: 'unset it there' }]
    : [];
}

/** Warns about a name in `.env` that is close to a variable, or begins like the variables of an account. */
function fileNameWarnings(
  { name, line }: DotEnvEntry,
  known: readonly string[],
  isSet: (name: string) => boolean,
): readonly EnvironmentWarning[] {
  const where = `.env:${line}`;
  const meant = closestName(
    name,
    known.filter((one) => !COMMON.test(one) || editSteps(one.toLowerCase(), name.toLowerCase()) <= 1),
  );
  // A set variable was not meant: the similar name is a second one, for a program beside Fanfare.
  if (meant !== undefined && isSet(meant)) return [];
  if (meant !== undefined) return [unknownName(name, where, `did you mean ${meant}?`)];
  const [first = ''] = name.toUpperCase().split('_');
  const sameAccount = known.filter((one) => !isSet(one) && one.startsWith(`${first}_`) && !COMMON.test(one) && !one.endsWith('_URL'));
  return sameAccount.length > 0 && first !== 'FANFARE' ? [unknownName(name, where, `available: ${sameAccount.join(', ')}`)] : [];
}

/** The environment has many variables of other programs, so only almost equal names count. */
function environmentNameWarnings(name: string, unset: readonly string[]): readonly EnvironmentWarning[] {
  const meant = unset.find(
    (one) => !COMMON.test(one) && editSteps(one.toLowerCase(), name.toLowerCase()) <= Math.floor(one.length / CHARACTERS_PER_EDIT),
  );
  return meant === undefined ? [] : [unknownName(name, 'environment', `did you mean ${meant}?`)];
}

function unknownName(name: string, where: string, hint: string): EnvironmentWarning {
  return { where, message: `Fanfare has no variable ${name}`, hint };
}

function valueWarning(name: string, value: string): Pick<EnvironmentWarning, 'message' | 'hint'> | undefined {
  if (/^["'`“”„‘’]|["'`“”„‘’]$/u.test(value)) {
    return { message: `the value of ${name} has a quotation mark at its beginning or end`, hint: 'remove the quotation marks' };
  }
  if (value.trim() !== value) return { message: `the value of ${name} has a space at its beginning or end`, hint: 'remove the space' };
  const isBroken = CREDENTIAL.test(name) && /\s/u.test(value);
  return isBroken ? { message: `the value of ${name} contains a space`, hint: 'copy the value again, without spaces' } : undefined;
}
