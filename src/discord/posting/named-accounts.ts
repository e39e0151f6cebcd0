import { UserError } from '#src/errors.ts';
import type { Words } from '../language/words.ts';
import { escaped } from '../text/foreign-text.ts';
import type { Posting } from './posting.ts';

/** The accounts that a list with commas names, each once; where nothing is named, those that are usually meant. */
export function namedAccounts(typed: string | null, posting: Posting, { posting: { errors } }: Words): readonly string[] {
  const known = posting.accounts();
  if (known.length === 0) throw new UserError(errors.noAccount);
  const names = partsOf(typed ?? '').filter((name) => name !== '');
  if (names.length === 0) {
    const usual = known.filter(({ isDefault }) => isDefault);
    return (usual.length > 0 ? usual : known).map(({ name }) => name);
  }
  const found = names.map((wanted) => {
    const account = known.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    if (!account) {
      const all = known.map(({ name }) => name).join(', ');
      throw new UserError(errors.unknownAccount(escaped(wanted, 100), escaped(all, 1000)));
    }
    return account.name;
  });
  return [...new Set(found)];
}

/** How a list that is being typed may go on. */
export function suggestAccounts(typed: string, posting: Posting): readonly string[] {
  const names = partsOf(typed);
  const last = names.pop() ?? '';
  const before = names.map((name) => `${name}, `).join('');
  const open = posting.accounts().filter(({ name }) => !names.includes(name) && name.toLowerCase().includes(last.toLowerCase()));
  return open.map(({ name }) => before + name);
}

function partsOf(list: string): string[] {
  return list.split(',').map((name) => name.trim().replace(/^@/u, ''));
}
