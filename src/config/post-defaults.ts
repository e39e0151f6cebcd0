import type { Account } from './accounts.ts';
import type { FanfareFile } from './file-form.ts';
import type { FileMistake } from './file-mistake.ts';

/** The defaults that a platform offers for posts. */
const TAKES: Readonly<Partial<Record<Account['platform'], readonly string[]>>> = {
  mastodon: ['language', 'visibility'],
  bluesky: ['language'],
};

/** The accounts with their defaults for posts from the file; `onMistake` receives defaults that a platform lacks. */
export function withPostDefaults(
  accounts: readonly Account[],
  { posts = {} }: FanfareFile,
  onMistake: (mistake: FileMistake) => void,
): readonly Account[] {
  const known = accounts.filter(({ platform }) => TAKES[platform]).map(({ account }) => account);
  for (const [name, defaults] of Object.entries(posts)) {
    const account = accounts.find((one) => one.account === name);
    if (!account) onMistake({ path: ['posts', name], isKey: true, message: `there is no account ${name}`, unknown: { name, known } });
    const lacking = account ? Object.keys(defaults).filter((key) => !TAKES[account.platform]?.includes(key)) : [];
    for (const key of lacking) {
      const message = `posts on ${account?.platform} have no ${key}`;
      onMistake({ path: ['posts', name, key], isKey: true, message, hint: 'leave it out' });
    }
  }
  return accounts.map((account) => {
    const defaults = Object.hasOwn(posts, account.account) ? posts[account.account] : undefined;
    if (account.platform === 'mastodon') return { ...account, ...defaults };
    return account.platform === 'bluesky' && defaults ? { ...account, language: defaults.language } : account;
  });
}
