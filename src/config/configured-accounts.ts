import { SECRET, secretKeys } from '#adapters/account.ts';
import { definitionOf, PLATFORMS, type Account } from './accounts.ts';
import type { Environment } from './environment.ts';
import type { FanfareFile, FileMistake } from './fanfare-file.ts';

/** The keys of an account in the file. */
type FileAccount = NonNullable<FanfareFile['accounts']>[string];

export interface ConfiguredAccountsOptions {
  readonly environment: Environment;
  /** All variables, because secrets may have any name. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The default time zone of servers. */
  readonly zone: string;
  readonly onMistake: (mistake: FileMistake) => void;
}

const NAME = /^[a-z][a-z0-9_]{0,39}$/iu;
/** The operations without credentials use these account names. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['feed', 'history']);

/** The accounts of the environment, one per platform, then those of the file. An account without the shared secret of its platform is left out. */
export function configuredAccounts({ accounts: written = {} }: FanfareFile, options: ConfiguredAccountsOptions): readonly Account[] {
  const { environment, onMistake } = options;
  const inFile = new Set(Object.values(written).map(({ platform }) => platform));
  const accounts = PLATFORMS.flatMap((platform): readonly Account[] => {
    const keys = definitionOf({ platform }).fromEnvironment(environment, { isInFile: inFile.has(platform) });
    return keys ? [toAccount({ ...keys, platform }, platform, options)] : [];
  });
  const namesOfEnvironment = new Set(accounts.map(({ account }) => account));
  for (const [name, keys] of Object.entries(written)) {
    const { sharedSecret: shared, uniqueKey } = definitionOf(keys);
    const mistake = nameMistake(name, keys, namesOfEnvironment);
    if (mistake) onMistake({ ...mistake, path: ['accounts', name], isKey: true });
    if (shared && environment[shared.variable] === undefined) {
      onMistake({ path: ['accounts', name], message: `${shared.variable} is not set`, hint: shared.hint, isSecretUnset: true });
      continue;
    }
    const first = accounts.find((one) => uniqueKey !== undefined && isSame(one, keys, uniqueKey));
    if (first) {
      const message = `the account ${first.account} already uses this ${uniqueKey}`;
      onMistake({ path: ['accounts', name, `${uniqueKey}`], message, hint: `use that account, or another ${uniqueKey}` });
    }
    accounts.push(toAccount(withSecrets(name, keys, options), name, options));
  }
  return accounts;
}

function isSame(one: Account, { platform, ...keys }: FileAccount, key: string): boolean {
  return one.platform === platform && Object.entries(one).some(([name, value]) => name === key && value === keys[key]);
}

function nameMistake(
  name: string,
  { platform }: FileAccount,
  others: ReadonlySet<string>,
): Pick<FileMistake, 'message' | 'hint'> | undefined {
  if (!NAME.test(name)) {
    return { message: `${name} is not a valid account name`, hint: 'use letters, digits and _, starting with a letter, as mastodon_de' };
  }
  if (others.has(name)) {
    return {
      message: `the environment also has an account ${name}`,
      hint: 'rename this account, or unset the variables of the other one',
    };
  }
  const isOfAnother = name !== platform && PLATFORMS.some((each) => each === name);
  return RESERVED_NAMES.has(name) || isOfAnother
    ? { message: `a ${platform} account cannot have the name ${name}`, hint: 'use another name' }
    : undefined;
}

/** The keys with the values of the variables that they name. Reports a variable that is not set. */
function withSecrets(name: string, keys: FileAccount, { variables, onMistake }: ConfiguredAccountsOptions): FileAccount {
  const values = secretKeys(definitionOf(keys).form).flatMap((key) => {
    const text = keys[key];
    if (typeof text !== 'string') return [];
    const [, variable = ''] = SECRET.exec(text) ?? [];
    if (!variables[variable]) {
      const hint = `write ${variable}=… in .env, or set it in the environment`;
      onMistake({ path: ['accounts', name, key], message: `${variable} is not set`, hint, isSecretUnset: true });
    }
    return [[key, variables[variable] ?? '']];
  });
  return { ...keys, ...Object.fromEntries(values) };
}

function toAccount(keys: FileAccount, name: string, { environment, zone }: ConfiguredAccountsOptions): Account {
  const { url } = keys;
  const account = {
    ...definitionOf(keys).settings(environment, { zone }),
    ...keys,
    account: name,
    ...(typeof url === 'string' && { url: url.replace(/\/+$/u, '') }),
  };
  return account as never as Account; // the definition has the form and the settings of the platform
}
