import { expect, test } from 'vitest';
import { z } from 'zod';
import { issuesOf } from '#src/rules/check/schema-issues.ts';
import { closestName } from '#src/clients/operation/closest-name.ts';

test('common keys of several alternatives are listed once', () => {
  const File = z.union([
    z.strictObject({ path: z.string(), altText: z.string() }),
    z.strictObject({ url: z.string(), altText: z.string() }),
  ]);

  const [hint] = issuesOf(File, { path: 'a.png', altText: 'a', zoom: 1 }).map((issue) => issue.hint);

  expect(hint).toBe('available: path, altText, url');
});

test('a list of the wrong length is reported with its length', () => {
  const Options = z.strictObject({ options: z.array(z.string()).min(2).max(4) });

  expect(issuesOf(Options, { options: ['a', 'b', 'c', 'd', 'e'] })[0]?.message).toBe('expected a list of at most 4, found one of 5');
  expect(issuesOf(Options, { options: ['a'] })[0]?.message).toBe('expected a list of at least 2, found one of 1');
});

test('an unfinished name suggests the name that begins with it', () => {
  const names = ['social.getPosts', 'social.repostPost', 'social.deletePost'];

  expect(closestName('social.repost', names)).toBe('social.repostPost');
  expect(closestName('social.getPost', names)).toBe('social.getPosts');
});

test('a name with a part that was added suggests the name without it', () => {
  expect(closestName('discord.editMessage', ['discord.getMessages', 'discord.edit', 'discord.send'])).toBe('discord.edit');
});

test('swapped letters are more likely than letters that were added', () => {
  expect(closestName('withni', ['with', 'within'])).toBe('within');
});
