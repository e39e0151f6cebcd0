import { expect, test } from 'vitest';
import { otherLanguages, textsFor } from '#src/discord/language/languages.ts';
import type { Texts, Title } from '#src/discord/language/texts.ts';

/** The commands of a language, alone and with each subcommand. */
function commandsIn({ assistant, controls, following, help, lookups, pings, posting, setup }: Texts): ReadonlySet<string> {
  const all: readonly (readonly [command: Title, ...subcommands: Title[]])[] = [
    [assistant.ask],
    [assistant.conversation, assistant.history, assistant.forget],
    [
      controls.automation,
      controls.list,
      controls.show,
      controls.why,
      controls.pause,
      controls.resume,
      controls.enable,
      controls.disable,
      controls.remove,
      controls.run,
      controls.preview,
      controls.test,
    ],
    [controls.deliveries],
    [controls.resolve],
    [controls.status],
    [following.command, following.add, following.edit, following.list, following.remove, following.import, following.export],
    [help.command],
    [lookups.live],
    [lookups.top, lookups.topStreams, lookups.topGames],
    [lookups.game, lookups.gameStreams, lookups.gameClips, lookups.gameVideos],
    [lookups.user],
    [lookups.videos],
    [lookups.clips],
    [lookups.search],
    [lookups.social, lookups.socialUser, lookups.socialPosts, lookups.socialPost, lookups.socialSearch, lookups.socialTrends],
    [pings.command, pings.choose, pings.post],
    [posting.command, posting.now, posting.schedule, posting.queue, posting.cancel],
    [setup.command],
  ];
  return new Set(all.flatMap(([command, ...subcommands]) => [command.name, ...subcommands.map(({ name }) => `${command.name} ${name}`)]));
}

/** The source of all texts. The texts with values are functions. */
function sourceOf(texts: unknown): readonly string[] {
  if (typeof texts === 'string' || typeof texts === 'function') return [String(texts)];
  return typeof texts === 'object' && texts !== null ? Object.values(texts).flatMap(sourceOf) : [];
}

test.each(['en', ...otherLanguages])('texts in the language %s name commands as Discord shows them', (language) => {
  const texts = textsFor(language);
  const known = commandsIn(texts);

  const inCode = sourceOf(texts).flatMap((source) => [...source.matchAll(/`\/([^`\\$]+)\\?`/gu)].map(([, path = '']) => path));
  const inText = sourceOf(texts).flatMap((source) => [...source.matchAll(/(?<=^|[ (])\/(\p{L}+)/gu)].map(([, command = '']) => command));

  expect(inCode.length).toBeGreaterThan(10);
  expect([...inCode, ...inText].filter((path) => !known.has(path))).toEqual([]);
});
