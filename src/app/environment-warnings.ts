import { dirname, join, relative, resolve } from 'node:path';
import { readDotEnvLines } from '#src/config/dot-env-lines.ts';
import { variableNames } from '#src/config/environment.ts';
import { warningsOf, type EnvironmentWarning } from '#src/config/environment-warnings.ts';
import { configFileOf } from '#src/config/open-config.ts';
import { settingsText } from '#src/config/variable-lines.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Warnings about the variables of the environment and of the `.env` file in the working directory. They contain no values. */
export function environmentWarnings(environment: Variables, folder = process.cwd()): readonly EnvironmentWarning[] {
  const rules = resolve(folder, environment['FANFARE_RULES'] || 'rules');
  const named = [...(settingsText(configFileOf(rules)) ?? '').matchAll(/\$\{(\w+)\}/gu)].map(([, name = '']) => name);
  const dotEnv = settingsText(join(folder, '.env'));
  const elsewhere = dotEnv === undefined ? otherDotEnv(environment, { folder, rules }) : undefined;
  const isHere = elsewhere !== undefined && dirname(elsewhere) === folder;
  return [
    ...warningsOf({ environment, dotEnv, named }),
    ...(elsewhere === undefined
      ? []
      : [
          {
            where: relative(folder, elsewhere),
            message: `this file is not read: Fanfare reads the .env of the working directory, ${folder}`,
            hint: isHere ? 'rename it to .env' : `move it there, or run Fanfare in ${dirname(elsewhere)}`,
          },
        ]),
  ];
}

/** Editors of Windows add an ending, which the Explorer hides. */
const MISNAMED = ['.env.txt', 'env.txt', 'env'];

/** A `.env` file near the working directory, or one there with another name, with a variable of Fanfare that is not set. */
function otherDotEnv(environment: Variables, { folder, rules }: { readonly folder: string; readonly rules: string }): string | undefined {
  const names = variableNames();
  const folders = new Set([dirname(rules), rules, dirname(folder)]);
  return [...MISNAMED.map((name) => join(folder, name)), ...[...folders].map((one) => join(one, '.env'))].find((file) => {
    const { entries } = readDotEnvLines(settingsText(file) ?? '');
    return entries.some(({ name, isEmpty }) => names.includes(name) && !isEmpty && environment[name] === undefined);
  });
}
