// Read by tsc only: each line below an expect-error would fail the type check if it compiled.
import type { Bot } from '#src/clients/streaming/bot.ts';
import type { GameClips, GameVideos, Search, UserClips, UserVideos } from '#src/clients/streaming/containers.ts';
import type { Clip, Game, User, Video } from '#src/clients/streaming/records.ts';

export async function goodCalls(bot: Bot, game: Game, user: User): Promise<void> {
  const videos: UserVideos = await bot.getUserVideos(user, { sort: 'TRENDING', pages: 2 });
  const clips: UserClips = await bot.getUserClips(42, { sort: 'LAST_DAY' });
  const ofGame: GameVideos = await bot.getGameVideos(game, { languages: ['EN', 'zh-hk'], cursor: videos.cursor });
  const clipsOfGame: GameClips = await bot.getGameClips('Chess', { languages: 'en, fr', sort: 'VIEWER_COUNT' });
  const found: Search = await bot.search('ada', { filter: 'SearchGames' });
  for await (const [container, items] of bot.iterGameClips(743))
    console.log(container satisfies GameClips, items satisfies readonly Clip[]);
  for await (const video of bot.getGameVideos('Chess')) console.log(video satisfies Video);
  console.log(clips, ofGame, clipsOfGame, found);
}

export function wrongCalls(bot: Bot): void {
  // @ts-expect-error there is no such order of videos
  bot.getUserVideos('ada', { sort: 'LAST_DAY' });
  // @ts-expect-error there is no such order of clips
  bot.getUserClips('ada', { sort: 'TRENDING' });
  // @ts-expect-error a user is needed
  bot.getUserClips();
  // @ts-expect-error the clips of a user are not parted by language
  bot.getUserClips('ada', { languages: 'en' });
  // @ts-expect-error there is no such filter
  bot.search('ada', { filter: 'SearchPeople' });
  // @ts-expect-error a keyword is a text
  bot.search(42);
  // @ts-expect-error a game is a name, an id or a record
  bot.getGameVideos({ name: 'Chess' });
}
