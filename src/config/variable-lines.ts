import { parseEnv } from 'node:util';
import { VariableError } from '#adapters/account.ts';
import { codeOf, ConfigError } from '#src/errors.ts';
import { readRegularFileSync } from '#src/rules/regular-file.ts';
import { readDotEnvLines, textOfDotEnv } from './dot-env-lines.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const MOST_BYTES = 1_048_576;

/** The text of a `.env` file or another small file; undefined if it cannot be read. */
export function settingsText(file: string): string | undefined {
  try {
    const content = readRegularFileSync(file, { mostBytes: MOST_BYTES });
    return 'bytes' in content ? textOfDotEnv(content.bytes) : undefined;
  } catch (error) {
    if (codeOf(error) !== undefined) return undefined;
    throw error;
  }
}

/** The line of a `.env` file from which a variable has its value; undefined if it has the value from elsewhere. */
export function lineOfVariable(name: string, variables: Variables, dotEnv: string | undefined): number | undefined {
  if (dotEnv === undefined || parseEnv(dotEnv)[name] !== variables[name]) return undefined;
  return readDotEnvLines(dotEnv).entries.findLast((entry) => entry.name === name)?.line;
}

/** Reads variables. The error for a wrong one has its line in `.env`, if the value is from there. */
export function readVariables<T>(variables: Variables, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof VariableError)) throw error;
    const dotEnv = settingsText('.env');
    const withLine = (one: ConfigError): ConfigError => {
      const line = one instanceof VariableError ? lineOfVariable(one.variable, variables, dotEnv) : undefined;
      const { message, hint } = one;
      return new ConfigError(message, { file: line === undefined ? one.file : '.env', line, hint, others: one.others.map(withLine) });
    };
    throw withLine(error);
  }
}
